# SPDX-License-Identifier: Apache-2.0
"""Examples and records as tensors."""

from .examples import parse_example, parse_single_example
from .features import FixedLenFeature, FixedLenSequenceFeature, SparseFeature, VarLenFeature
from .protos import decode_proto, encode_proto
from .records import (
    decode_compressed,
    decode_csv,
    decode_json_example,
    parse_tensor,
    serialize_tensor,
)
from .sequences import parse_sequence_example, parse_single_sequence_example

__all__ = [
    "FixedLenFeature", "FixedLenSequenceFeature", "SparseFeature", "VarLenFeature",
    "decode_compressed", "decode_csv", "decode_json_example", "decode_proto", "encode_proto",
    "parse_example", "parse_sequence_example", "parse_single_example",
    "parse_single_sequence_example", "parse_tensor", "serialize_tensor",
]  # fmt: skip
