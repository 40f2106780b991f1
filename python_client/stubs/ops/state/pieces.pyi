# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike

class SaveSliceInfo:
    full_name: _Any
    full_shape: _Any
    var_offset: _Any
    var_shape: _Any
    def __init__(self, full_name: _b.str, full_shape: _Union[ShapeLike, Tensor], var_offset: _Sequence[_b.int], var_shape: _Union[ShapeLike, Tensor]) -> None: ...
    @property
    def spec(self) -> _b.str: ...
