"""Files and encodings as operations."""
