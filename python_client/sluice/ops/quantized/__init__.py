# SPDX-License-Identifier: Apache-2.0
"""Quantisation, and ops on quantised tensors."""
