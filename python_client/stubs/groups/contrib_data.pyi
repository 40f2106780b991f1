# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

AUTOTUNE: _Any
from sluice.training.input_checkpoints import CheckpointInputPipelineHook as CheckpointInputPipelineHook
from sluice.data.states import Counter as Counter
from sluice.data.tables import CsvDataset as CsvDataset
from sluice.data.older import LMDBDataset as LMDBDataset
from sluice.data.optional import Optional as Optional
from sluice.data.pipes import PipeModeDataset as PipeModeDataset
from sluice.data.states import RandomDataset as RandomDataset
from sluice.data.grouping import Reducer as Reducer
from sluice.data.tables import SqlDataset as SqlDataset
from sluice.data.states import TFRecordWriter as TFRecordWriter
from sluice.data.older import assert_element_shape as assert_element_shape
from sluice.data.older import batch_and_drop_remainder as batch_and_drop_remainder
from sluice.data.grouping import bucket_by_sequence_length as bucket_by_sequence_length
from sluice.data.choosing import choose_from_datasets as choose_from_datasets
from sluice.data.batching import copy_to_device as copy_to_device
from sluice.data.batching import dense_to_sparse_batch as dense_to_sparse_batch
from sluice.data.batching import enumerate_dataset as enumerate_dataset
from sluice.data.optional import get_next_as_optional as get_next_as_optional
from sluice.data.states import get_single_element as get_single_element
from sluice.data.grouping import group_by_reducer as group_by_reducer
from sluice.data.grouping import group_by_window as group_by_window
from sluice.data.batching import ignore_errors as ignore_errors
from sluice.data.features import make_batched_features_dataset as make_batched_features_dataset
from sluice.data.tables import make_csv_dataset as make_csv_dataset
from sluice.data.saving import make_saveable_from_iterator as make_saveable_from_iterator
from sluice.data.batching import map_and_batch as map_and_batch
from sluice.data.older import padded_batch_and_drop_remainder as padded_batch_and_drop_remainder
from sluice.data.batching import parallel_interleave as parallel_interleave
from sluice.data.features import parse_example_dataset as parse_example_dataset
from sluice.data.batching import prefetch_to_device as prefetch_to_device
from sluice.data.older import read_batch_features as read_batch_features
from sluice.data.older import reduce_dataset as reduce_dataset
from sluice.data.resampling import rejection_resample as rejection_resample
from sluice.data.choosing import sample_from_datasets as sample_from_datasets
from sluice.data.states import scan as scan
from sluice.data.batching import shuffle_and_repeat as shuffle_and_repeat
from sluice.data.older import sliding_window_batch as sliding_window_batch
from sluice.data.older import sloppy_interleave as sloppy_interleave
from sluice.data.batching import unbatch as unbatch
from sluice.data.batching import unique as unique
