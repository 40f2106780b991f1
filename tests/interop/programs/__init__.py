"""Programs that both sides run."""
