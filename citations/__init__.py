"""Number sources, link markers, list references; pure text in, pure text out."""
