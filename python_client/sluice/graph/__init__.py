# SPDX-License-Identifier: Apache-2.0
"""Graphs: operations, tensors, shapes, names and the values that programs give."""
