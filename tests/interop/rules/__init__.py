# SPDX-License-Identifier: Apache-2.0
"""Rules that draw valid inputs and attributes of an op."""
