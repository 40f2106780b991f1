# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def prefetch_queue(tensors: _Sequence[TensorLike], capacity: _b.int = ..., num_threads: _b.int = ..., dynamic_pad: _b.bool = ..., shared_name: _Optional[_b.str] = ..., name: _Optional[_b.str] = ...) -> _Any: ...
class NestedQueueRunnerError(_b.Exception):
    def __init__(self, message: _b.str = ...) -> None: ...
def QueueRunners(session: _Any) -> _ContextManager[_Any]: ...
