"""Tables that tests read, and what writes them."""
