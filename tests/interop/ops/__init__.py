"""Tests of single ops."""
