"""Security of the web server: hosts, origins, headers."""
