# SPDX-License-Identifier: Apache-2.0
"""Sluice beside TensorFlow: the same work by both, and the results are compared."""
