# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Progbar:
    target: _Any
    width: _Any
    verbose: _Any
    interval: _Any
    stateful_metrics: _Any
    unit_name: _Any
    def __init__(self, target: _Optional[_b.int], width: _b.int = ..., verbose: _Any = ..., interval: _b.float = ..., stateful_metrics: _Optional[_Sequence[_b.str]] = ..., unit_name: _b.str = ...) -> None: ...
    def update(self, current: _b.int, values: _Any = ...) -> None: ...
    def add(self, n: _b.int, values: _Any = ...) -> None: ...
