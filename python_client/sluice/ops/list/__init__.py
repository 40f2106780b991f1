# SPDX-License-Identifier: Apache-2.0
"""Lists of tensors."""
