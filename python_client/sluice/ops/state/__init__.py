"""Variables, their scopes and their initial values."""
