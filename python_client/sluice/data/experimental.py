# SPDX-License-Identifier: Apache-2.0
"""Data sets in less common ways: functions for Dataset.apply(), other sources, Optionals."""

from .asking import get_structure
from .batching import (
    bytes_produced_stats,
    copy_to_device,
    dense_to_sparse_batch,
    enumerate_dataset,
    ignore_errors,
    latency_stats,
    map_and_batch,
    map_and_batch_with_legacy_function,
    parallel_interleave,
    prefetch_to_device,
    shuffle_and_repeat,
    take_while,
    unbatch,
    unique,
)
from .choosing import choose_from_datasets, sample_from_datasets
from .features import make_batched_features_dataset, parse_example_dataset
from .grouping import Reducer, bucket_by_sequence_length, group_by_reducer, group_by_window
from .optional import Optional, get_next_as_optional
from .optional import OptionalSpec as OptionalStructure
from .options import (
    DistributeOptions,
    MapVectorizationOptions,
    OptimizationOptions,
    StatsOptions,
    ThreadingOptions,
)
from .ragged import RaggedTensorStructure
from .resampling import rejection_resample
from .saving import make_saveable_from_iterator
from .specs import Spec as Structure
from .states import (
    INFINITE_CARDINALITY,
    UNKNOWN_CARDINALITY,
    Counter,
    RandomDataset,
    TFRecordWriter,
    cardinality,
    from_variant,
    get_single_element,
    scan,
    to_variant,
)
from .statistics import StatsAggregator
from .structures import SparseTensorStructure, TensorStructure
from .tables import CsvDataset, SqlDataset, make_csv_dataset
from .variants import DatasetSpec as DatasetStructure

AUTOTUNE = -1

__all__ = [
    "AUTOTUNE", "Counter", "CsvDataset", "DatasetStructure",
    "DistributeOptions", "INFINITE_CARDINALITY", "MapVectorizationOptions", "OptimizationOptions",
    "Optional", "OptionalStructure", "RaggedTensorStructure", "RandomDataset", "Reducer",
    "SparseTensorStructure", "SqlDataset", "StatsAggregator", "StatsOptions", "Structure",
    "TFRecordWriter", "TensorStructure", "ThreadingOptions", "UNKNOWN_CARDINALITY",
    "bucket_by_sequence_length", "bytes_produced_stats", "cardinality", "choose_from_datasets",
    "copy_to_device", "dense_to_sparse_batch", "enumerate_dataset", "from_variant",
    "get_next_as_optional", "get_single_element", "get_structure", "group_by_reducer",
    "group_by_window", "ignore_errors", "latency_stats", "make_batched_features_dataset",
    "make_csv_dataset", "make_saveable_from_iterator", "map_and_batch",
    "map_and_batch_with_legacy_function", "parallel_interleave", "parse_example_dataset",
    "prefetch_to_device", "rejection_resample", "sample_from_datasets", "scan",
    "shuffle_and_repeat", "take_while", "to_variant", "unbatch", "unique",
]  # fmt: skip
