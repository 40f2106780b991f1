# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def dilation2d(input: TensorLike, filter: _Optional[TensorLike] = ..., strides: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ..., rates: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ..., padding: _Optional[_b.str] = ..., name: _Optional[_b.str] = ..., filters: _Any = ..., dilations: _Any = ...) -> Tensor: ...
def erosion2d(value: TensorLike, kernel: TensorLike, strides: _Union[_b.int, _Sequence[_b.int]], rates: _Union[_b.int, _Sequence[_b.int]], padding: _b.str, name: _Optional[_b.str] = ...) -> Tensor: ...
