# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike

class RaggedTensorSpec(Spec):
    def __init__(self, shape: _Optional[_Union[ShapeLike, Tensor]] = ..., dtype: DTypeLike = ..., ragged_rank: _Optional[_b.int] = ..., row_splits_dtype: DTypeLike = ...) -> None: ...
    @property
    def value_type(self) -> _Any: ...
    @classmethod
    def from_value(cls, value: _Any) -> _Any: ...
def RaggedTensorStructure(dtype: DTypeLike, shape: _Optional[_Union[ShapeLike, Tensor]], ragged_rank: _b.int) -> _Any: ...
