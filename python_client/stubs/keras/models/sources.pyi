# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Arrays:
    samples: _Any
    batch_size: _Any
    steps: _Any
    by_steps: _Any
    def __init__(self, arrays: _Any, batch_size: _b.int, shuffle: _b.bool = ..., steps: _Any = ..., random: _Any = ..., equal: _b.bool = ...) -> None: ...
    sized: _Any
    def batches(self, training: _Any) -> None: ...
    def finished(self, count: _Any) -> None: ...
class Steps:
    sized: _Any
    steps: _Any
    def __init__(self, following: _Callable[..., _Any], prepare: _Callable[..., _Any], steps: _Any, anew: _b.bool, sized: _b.bool) -> None: ...
    by_steps: _Any
    samples: _Any
    batch_size: _Any
    def batches(self, training: _Any) -> None: ...
    def finished(self, count: _Any) -> None: ...
def is_stream(x: _Any) -> None: ...
def stream(x: _Any, prepare: _Callable[..., _Any], steps: _Optional[_b.int], shuffle: _b.bool = ..., workers: _Any = ...) -> None: ...
