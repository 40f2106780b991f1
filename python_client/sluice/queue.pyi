# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from .queues import FIFOQueue as FIFOQueue
from .queues import PaddingFIFOQueue as PaddingFIFOQueue
from .queues import PriorityQueue as PriorityQueue
from .queues import Queue as _queues_Queue
QueueBase = _queues_Queue
from .queues import RandomShuffleQueue as RandomShuffleQueue
