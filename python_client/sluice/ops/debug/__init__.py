# SPDX-License-Identifier: Apache-2.0
"""Assertions and printed messages."""
