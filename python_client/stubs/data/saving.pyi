# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Operation as Operation

class SavedIterator:
    name: _b.str
    tensors: _Any
    op: Operation
    device: _Any
    def __init__(self, resource: _Any) -> None: ...
    def restore(self, values: _Any) -> _Any: ...
def make_saveable_from_iterator(iterator: _Any) -> _Any: ...
