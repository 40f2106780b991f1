# SPDX-License-Identifier: Apache-2.0
"""Lookup tables: a task holds them, keys give values."""
