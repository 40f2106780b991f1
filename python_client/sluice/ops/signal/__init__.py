# SPDX-License-Identifier: Apache-2.0
"""Spectral transforms and windows."""
