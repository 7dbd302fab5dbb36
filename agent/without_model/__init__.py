"""Answer by quoting, where no language model is set up."""
