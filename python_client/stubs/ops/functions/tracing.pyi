# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class TracedFunction:
    body: _Any
    args: _Any
    result: _Any
    ops: _Any
    tensors: _Any
    def __init__(self, outer: _Any, function: _Any, dtypes_and_shapes: _Any = ..., structure: _Any = ...) -> None: ...
    def add_to(self, graph: _Any, name: _Any, captured: _Any) -> None: ...
    def meet(self, captured: _Any) -> _Any: ...
def captured_by(functions: _Any) -> None: ...
def outermost(graph: _Any) -> _Any: ...
