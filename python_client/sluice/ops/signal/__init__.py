"""Spectral transforms and windows."""
