# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.data_flow.queues import FIFOQueue as FIFOQueue
from sluice.ops.data_flow.queues import PaddingFIFOQueue as PaddingFIFOQueue
from sluice.ops.data_flow.queues import PriorityQueue as PriorityQueue
from sluice.ops.data_flow.queues import Queue as _ops_data_flow_queues_Queue
QueueBase = _ops_data_flow_queues_Queue
from sluice.ops.data_flow.queues import RandomShuffleQueue as RandomShuffleQueue
