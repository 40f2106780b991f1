# SPDX-License-Identifier: Apache-2.0
"""Tests of whole programs and of their training."""
