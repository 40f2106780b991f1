# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def depthwise_conv2d(input: TensorLike, filter: TensorLike, strides: _Union[_b.int, _Sequence[_b.int]], padding: _b.str, rate: _Any = ..., name: _Optional[_b.str] = ..., data_format: _Optional[_b.str] = ..., dilations: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ...) -> Tensor: ...
def depthwise_conv2d_native(input: TensorLike, filter: TensorLike, strides: _Union[_b.int, _Sequence[_b.int]], padding: _b.str, data_format: _Optional[_b.str] = ..., dilations: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def separable_conv2d(input: TensorLike, depthwise_filter: TensorLike, pointwise_filter: TensorLike, strides: _Union[_b.int, _Sequence[_b.int]], padding: _b.str, rate: _Any = ..., name: _Optional[_b.str] = ..., data_format: _Optional[_b.str] = ..., dilations: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ...) -> Tensor: ...
