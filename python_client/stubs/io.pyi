# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice import gfile as gfile
from sluice.files.graph_io import write_graph as write_graph
from sluice.files.records import TFRecordCompressionType as TFRecordCompressionType
from sluice.files.records import TFRecordOptions as TFRecordOptions
from sluice.files.records import TFRecordWriter as TFRecordWriter
from sluice.files.records import tf_record_iterator as tf_record_iterator
from sluice.ops.data_flow.queues import PaddingFIFOQueue as PaddingFIFOQueue
from sluice.ops.data_flow.queues import PriorityQueue as PriorityQueue
from sluice.ops.data_flow.queues import Queue as _ops_data_flow_queues_Queue
QueueBase = _ops_data_flow_queues_Queue
from sluice.ops.data_flow.queues import RandomShuffleQueue as RandomShuffleQueue
from sluice.ops.image.codecs import decode_and_crop_jpeg as decode_and_crop_jpeg
from sluice.ops.image.codecs import decode_bmp as decode_bmp
from sluice.ops.image.codecs import decode_gif as decode_gif
from sluice.ops.image.codecs import decode_image as decode_image
from sluice.ops.image.codecs import decode_jpeg as decode_jpeg
from sluice.ops.image.codecs import decode_png as decode_png
from sluice.ops.image.codecs import encode_jpeg as encode_jpeg
from sluice.ops.image.codecs import extract_jpeg_shape as extract_jpeg_shape
from sluice.ops.image.codecs import is_jpeg as is_jpeg
from sluice.ops.io.io import match_filenames_once as match_filenames_once
from sluice.ops.io.io import matching_files as matching_files
from sluice.ops.io.io import read_file as read_file
from sluice.ops.io.io import write_file as write_file
from sluice.ops.parsing.examples import parse_example as parse_example
from sluice.ops.parsing.examples import parse_single_example as parse_single_example
from sluice.ops.parsing.features import FixedLenFeature as FixedLenFeature
from sluice.ops.parsing.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from sluice.ops.parsing.features import SparseFeature as SparseFeature
from sluice.ops.parsing.features import VarLenFeature as VarLenFeature
from sluice.ops.parsing.protos import decode_proto as decode_proto
from sluice.ops.parsing.protos import encode_proto as encode_proto
from sluice.ops.parsing.records import decode_compressed as decode_compressed
from sluice.ops.parsing.records import decode_csv as decode_csv
from sluice.ops.parsing.records import decode_json_example as decode_json_example
from sluice.ops.parsing.records import parse_tensor as parse_tensor
from sluice.ops.parsing.records import serialize_tensor as serialize_tensor
from sluice.ops.parsing.sequences import parse_sequence_example as parse_sequence_example
from sluice.ops.parsing.sequences import parse_single_sequence_example as parse_single_sequence_example
from sluice.ops.sparse.serialization import deserialize_many_sparse as deserialize_many_sparse
from sluice.ops.sparse.serialization import serialize_many_sparse as serialize_many_sparse
from sluice.ops.sparse.serialization import serialize_sparse as serialize_sparse
from sluice.ops.strings.binary import decode_base64 as decode_base64
from sluice.ops.strings.binary import decode_raw as decode_raw
from sluice.ops.strings.binary import encode_base64 as encode_base64


