# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def bias_add(value: TensorLike, bias: TensorLike, data_format: _Any = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def xw_plus_b(x: TensorLike, weights: TensorLike, biases: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def relu_layer(x: TensorLike, weights: TensorLike, biases: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
def dropout(x: TensorLike, keep_prob: _Any = ..., noise_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., seed: _Optional[_b.int] = ..., name: _Optional[_b.str] = ..., rate: _Optional[TensorLike] = ...) -> Tensor: ...
