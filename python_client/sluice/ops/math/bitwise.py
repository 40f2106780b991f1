# SPDX-License-Identifier: Apache-2.0
"""Bits of integers."""

from ..building import binary, unary, with_names

bitwise_and = binary("BitwiseAnd", "Bits that both have.")
bitwise_or = binary("BitwiseOr", "Bits that one has.")
bitwise_xor = binary("BitwiseXor", "Bits that exactly one has.")
invert = unary("Invert", "Every bit turned over.")
left_shift = binary("LeftShift", "x * 2^y; y is taken into [0, bits of x).")
right_shift = binary("RightShift", "x / 2^y, rounded down; y is taken into [0, bits of x).")
population_count = unary("PopulationCount", "uint8: how many bits are set.")

__all__ = with_names(globals())
