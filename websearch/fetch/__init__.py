"""Read web pages: guarded download, and text extraction in a worker process."""
