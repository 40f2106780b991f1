"""Tests of whole programs and of their training."""
