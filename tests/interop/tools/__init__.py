# SPDX-License-Identifier: Apache-2.0
"""Clusters, comparisons, fuzzers and generators that the tests use."""
