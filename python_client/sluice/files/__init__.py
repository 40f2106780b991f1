"""Files of any file system, and graphs in files."""
