# SPDX-License-Identifier: Apache-2.0
"""Conditionals, loops, functions and checks."""
