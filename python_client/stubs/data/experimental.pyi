# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.data.asking import get_structure as get_structure
from sluice.data.batching import bytes_produced_stats as bytes_produced_stats
from sluice.data.batching import copy_to_device as copy_to_device
from sluice.data.batching import dense_to_sparse_batch as dense_to_sparse_batch
from sluice.data.batching import enumerate_dataset as enumerate_dataset
from sluice.data.batching import ignore_errors as ignore_errors
from sluice.data.batching import latency_stats as latency_stats
from sluice.data.batching import map_and_batch as map_and_batch
from sluice.data.batching import map_and_batch_with_legacy_function as map_and_batch_with_legacy_function
from sluice.data.batching import parallel_interleave as parallel_interleave
from sluice.data.batching import prefetch_to_device as prefetch_to_device
from sluice.data.batching import shuffle_and_repeat as shuffle_and_repeat
from sluice.data.batching import take_while as take_while
from sluice.data.batching import unbatch as unbatch
from sluice.data.batching import unique as unique
from sluice.data.choosing import choose_from_datasets as choose_from_datasets
from sluice.data.choosing import sample_from_datasets as sample_from_datasets
from sluice.data.features import make_batched_features_dataset as make_batched_features_dataset
from sluice.data.features import parse_example_dataset as parse_example_dataset
from sluice.data.grouping import Reducer as Reducer
from sluice.data.grouping import bucket_by_sequence_length as bucket_by_sequence_length
from sluice.data.grouping import group_by_reducer as group_by_reducer
from sluice.data.grouping import group_by_window as group_by_window
from sluice.data.optional import Optional as Optional
from sluice.data.optional import OptionalSpec as _data_optional_OptionalSpec
OptionalStructure = _data_optional_OptionalSpec
from sluice.data.optional import get_next_as_optional as get_next_as_optional
from sluice.data.options import DistributeOptions as DistributeOptions
from sluice.data.options import MapVectorizationOptions as MapVectorizationOptions
from sluice.data.options import OptimizationOptions as OptimizationOptions
from sluice.data.options import StatsOptions as StatsOptions
from sluice.data.options import ThreadingOptions as ThreadingOptions
from sluice.data.ragged import RaggedTensorStructure as RaggedTensorStructure
from sluice.data.resampling import rejection_resample as rejection_resample
from sluice.data.saving import make_saveable_from_iterator as make_saveable_from_iterator
from sluice.data.specs import Spec as _data_specs_Spec
Structure = _data_specs_Spec
from sluice.data.states import Counter as Counter
from sluice.data.states import RandomDataset as RandomDataset
from sluice.data.states import TFRecordWriter as TFRecordWriter
from sluice.data.states import cardinality as cardinality
from sluice.data.states import from_variant as from_variant
from sluice.data.states import get_single_element as get_single_element
from sluice.data.states import scan as scan
from sluice.data.states import to_variant as to_variant
from sluice.data.statistics import StatsAggregator as StatsAggregator
from sluice.data.structures import SparseTensorStructure as SparseTensorStructure
from sluice.data.structures import TensorStructure as TensorStructure
from sluice.data.tables import CsvDataset as CsvDataset
from sluice.data.tables import SqlDataset as SqlDataset
from sluice.data.tables import make_csv_dataset as make_csv_dataset
from sluice.data.variants import DatasetSpec as _data_variants_DatasetSpec
DatasetStructure = _data_variants_DatasetSpec
from sluice.training.input_checkpoints import CheckpointInputPipelineHook as CheckpointInputPipelineHook

INFINITE_CARDINALITY: _Any
UNKNOWN_CARDINALITY: _Any
AUTOTUNE: _Any
