# SPDX-License-Identifier: Apache-2.0
"""Layers of 1.x's contrib, which slim models are made of."""
