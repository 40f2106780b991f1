"""Clusters, comparisons, fuzzers and generators that the tests use."""
