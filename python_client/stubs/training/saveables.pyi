# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Operation as Operation

class SavedVariable:
    entries: _Any
    name: _b.str
    piece: _Any
    variable: _Any
    op: Operation
    device: _Any
    def __init__(self, name: _Any, piece: _Any, variable: _Any) -> None: ...
    def tensors(self) -> None: ...
    def restore(self, values: _Any, reshape: _Any) -> None: ...
class SavedTable:
    entries: _Any
    name: _b.str
    op: Operation
    device: _Any
    def __init__(self, name: _Any, saveable: _Any) -> None: ...
    piece: _Any
    def tensors(self) -> None: ...
    def restore(self, values: _Any, reshape: _Any) -> None: ...
class SavedObject:
    entries: _Any
    name: _b.str
    op: Operation
    device: _Any
    def __init__(self, name: _Any, saveable: _Any) -> None: ...
    piece: _Any
    def tensors(self) -> None: ...
    def restore(self, values: _Any, reshape: _Any) -> None: ...
def all_of(var_list: _Any) -> _b.list[_Any]: ...
