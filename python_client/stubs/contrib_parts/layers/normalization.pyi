# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def unit_norm(inputs: TensorLike, dim: _b.int, epsilon: _b.float = ..., scope: _Optional[_b.str] = ...) -> Tensor: ...
def instance_norm(inputs: TensorLike, center: _b.bool = ..., scale: _b.bool = ..., epsilon: _b.float = ..., activation_fn: _Optional[_Callable[..., _Any]] = ..., param_initializers: _Any = ..., reuse: _Optional[_b.bool] = ..., variables_collections: _Optional[_Sequence[_b.str]] = ..., outputs_collections: _Optional[_Sequence[_b.str]] = ..., trainable: _b.bool = ..., data_format: _Any = ..., scope: _Optional[_b.str] = ...) -> Tensor: ...
def group_norm(inputs: TensorLike, groups: _b.int = ..., channels_axis: _b.int = ..., reduction_axes: _Sequence[_b.int] = ..., center: _b.bool = ..., scale: _b.bool = ..., epsilon: _b.float = ..., activation_fn: _Optional[_Callable[..., _Any]] = ..., param_initializers: _Any = ..., reuse: _Optional[_b.bool] = ..., variables_collections: _Optional[_Sequence[_b.str]] = ..., outputs_collections: _Optional[_Sequence[_b.str]] = ..., trainable: _b.bool = ..., scope: _Optional[_b.str] = ..., mean_close_to_zero: _Any = ...) -> Tensor: ...
