# SPDX-License-Identifier: Apache-2.0
"""Functions that add operations to a graph, by families of ops. Here: what all families use."""
