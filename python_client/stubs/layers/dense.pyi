# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.graph.tensor_shape import TensorShape as TensorShape
from sluice.layers.layer import Layer as Layer
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class Dense(Layer):
    kernel: _Any
    bias: _Any
    def __init__(self, units: _b.int, activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    supports_masking: _Any
    def build(self, input_shape: _Union[ShapeLike, Tensor]) -> None: ...
    def call(self, inputs: _Any) -> Tensor: ...
    def compute_output_shape(self, input_shape: _Union[ShapeLike, Tensor]) -> TensorShape: ...
    arguments: _Any
def dense(inputs: TensorLike, units: _b.int, activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ...) -> Tensor: ...
