# SPDX-License-Identifier: Apache-2.0
"""Programs that mix tensors with the values of NumPy and Python."""
