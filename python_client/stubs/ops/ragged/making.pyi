# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def constant(pylist: _Any, dtype: _Optional[DTypeLike] = ..., ragged_rank: _Optional[_b.int] = ..., inner_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., name: _Optional[_b.str] = ..., row_splits_dtype: DTypeLike = ...) -> _Any: ...
def constant_value(pylist: _Any, dtype: _Any = ..., ragged_rank: _Optional[_b.int] = ..., inner_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., row_splits_dtype: DTypeLike = ...) -> _Any: ...
def placeholder(dtype: DTypeLike, ragged_rank: _b.int, value_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., name: _Optional[_b.str] = ...) -> _Any: ...
def range(starts: TensorLike, limits: _Optional[TensorLike] = ..., deltas: TensorLike = ..., dtype: _Optional[DTypeLike] = ..., name: _Optional[_b.str] = ..., row_splits_dtype: DTypeLike = ...) -> _Any: ...
