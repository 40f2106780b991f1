# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def norm(tensor: TensorLike, ord: _b.str = ..., axis: _Optional[TensorLike] = ..., keepdims: _Optional[_b.bool] = ..., name: _Optional[_b.str] = ..., keep_dims: _Any = ...) -> Tensor: ...
def normalize(tensor: TensorLike, ord: _Any = ..., axis: _Any = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def l2_normalize(x: TensorLike, axis: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ..., epsilon: _b.float = ..., name: _Optional[_b.str] = ..., dim: _Any = ...) -> Tensor: ...
