# SPDX-License-Identifier: Apache-2.0
"""Tests of our Python client against TensorFlow's."""
