# SPDX-License-Identifier: Apache-2.0
"""Layers of Keras and the record of their calls."""
