"""Tests of servers, sessions and commands."""
