# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def constant(value: _Any, dtype: _Optional[DTypeLike] = ..., shape: _Optional[_Union[ShapeLike, Tensor]] = ..., name: _b.str = ..., verify_shape: _b.bool = ...) -> Tensor: ...
def number(value: _Any, dtype: _Any, shape: _Any = ..., name: _Any = ...) -> None: ...
def convert_to_tensor(value: TensorLike, dtype: _Optional[DTypeLike] = ..., name: _Optional[_b.str] = ..., preferred_dtype: _Any = ..., dtype_hint: _Optional[DTypeLike] = ..., as_ref: _b.bool = ...) -> Tensor: ...
def placeholder(dtype: DTypeLike, shape: _Optional[_Union[ShapeLike, Tensor]] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
