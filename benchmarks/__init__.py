"""Speed and memory, each as a figure with a goal; run as `python -m benchmarks`."""
