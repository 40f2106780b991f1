# SPDX-License-Identifier: Apache-2.0
"""Data sets: the input of programs, which the servers read and prepare."""

from . import experimental, looping  # noqa: F401
from .asking import (
    get_output_classes,
    get_output_shapes,
    get_output_types,
    make_initializable_iterator,
    make_one_shot_iterator,
)
from .dataset import Dataset
from .iterators import Iterator
from .options import Options
from .readers import FixedLengthRecordDataset, TextLineDataset, TFRecordDataset
from .variants import DatasetSpec

__all__ = [
    "Dataset", "DatasetSpec", "FixedLengthRecordDataset", "Iterator", "Options",
    "TFRecordDataset", "TextLineDataset", "experimental", "get_output_classes",
    "get_output_shapes", "get_output_types", "make_initializable_iterator",
    "make_one_shot_iterator",
]  # fmt: skip
