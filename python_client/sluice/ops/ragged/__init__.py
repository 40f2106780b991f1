# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors: rows of different lengths."""
