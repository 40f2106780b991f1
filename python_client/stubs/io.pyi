# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice import gfile as gfile
from sluice.files.graph_io import write_graph as write_graph
from sluice.ops.data_flow.queues import PaddingFIFOQueue as PaddingFIFOQueue
from sluice.ops.data_flow.queues import PriorityQueue as PriorityQueue
from sluice.ops.data_flow.queues import Queue as _ops_data_flow_queues_Queue
QueueBase = _ops_data_flow_queues_Queue
from sluice.ops.data_flow.queues import RandomShuffleQueue as RandomShuffleQueue
from sluice.ops.io.io import match_filenames_once as match_filenames_once
from sluice.ops.io.io import matching_files as matching_files
from sluice.ops.io.io import read_file as read_file
from sluice.ops.io.io import write_file as write_file
from sluice.ops.sparse.serialization import deserialize_many_sparse as deserialize_many_sparse
from sluice.ops.sparse.serialization import serialize_many_sparse as serialize_many_sparse
from sluice.ops.sparse.serialization import serialize_sparse as serialize_sparse
from sluice.ops.strings.binary import decode_base64 as decode_base64
from sluice.ops.strings.binary import decode_raw as decode_raw
from sluice.ops.strings.binary import encode_base64 as encode_base64


