# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors: rows of different lengths. RaggedTensor has their methods."""

from .ops.ragged.combining import boolean_mask, stack, stack_dynamic_partitions
from .ops.ragged.elementwise import map_flat_values
from .ops.ragged.making import constant, constant_value, placeholder, range  # noqa: A004
from .ops.ragged.ragged_value import RaggedTensorValue
from .ops.ragged.rows import row_splits_to_segment_ids, segment_ids_to_row_splits

__all__ = [
    "RaggedTensorValue",
    "boolean_mask",
    "constant",
    "constant_value",
    "map_flat_values",
    "placeholder",
    "range",
    "row_splits_to_segment_ids",
    "segment_ids_to_row_splits",
    "stack",
    "stack_dynamic_partitions",
]
