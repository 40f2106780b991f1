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

class Convolution(Layer):
    kernel_size: _Any
    strides: _Any
    dilation_rate: _Any
    kernel: _Any
    bias: _Any
    rank: _Any
    filters: _Any
    padding: _Any
    data_format: _Any
    def __init__(self, rank: _b.int, filters: _b.int, kernel_size: _Union[_b.int, _Sequence[_b.int]], strides: _Union[_b.int, _Sequence[_b.int]], padding: _Any, data_format: _Any, dilation_rate: _Union[_b.int, _Sequence[_b.int]], **options: _Any) -> None: ...
    def build(self, input_shape: _Union[ShapeLike, Tensor]) -> None: ...
    def call(self, inputs: TensorLike) -> Tensor: ...
    def compute_output_shape(self, input_shape: _Union[ShapeLike, Tensor]) -> TensorShape: ...
class Conv1D(Convolution):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
class Conv2D(Convolution):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
class Conv3D(Convolution):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
def conv1d(inputs: TensorLike, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ...) -> Tensor: ...
def conv2d(inputs: TensorLike, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ...) -> Tensor: ...
def conv3d(inputs: TensorLike, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ...) -> Tensor: ...
