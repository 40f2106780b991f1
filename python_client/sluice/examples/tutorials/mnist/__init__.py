# SPDX-License-Identifier: Apache-2.0
"""The MNIST images, as the tutorials of 1.x read them."""

from . import input_data

__all__ = ["input_data"]
