# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.layers.convolution import Convolution as Convolution
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class SeparableConvolution(Convolution):
    depth_multiplier: _Any
    depthwise_kernel: _Any
    pointwise_kernel: _Any
    built: _Any
    def __init__(self, rank: _b.int, filters: _b.int, kernel_size: _Union[_b.int, _Sequence[_b.int]], strides: _Union[_b.int, _Sequence[_b.int]], padding: _Any, data_format: _Any, dilation_rate: _Union[_b.int, _Sequence[_b.int]], depth_multiplier: _b.int, **options: _Any) -> None: ...
    def build(self, input_shape: _Union[ShapeLike, Tensor]) -> None: ...
    def get_config(self) -> _Any: ...
class SeparableConv1D(SeparableConvolution):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., depth_multiplier: _b.int = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., depthwise_initializer: _Optional[_Callable[..., _Any]] = ..., pointwise_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., depthwise_regularizer: _Optional[_Callable[..., _Any]] = ..., pointwise_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., depthwise_constraint: _Optional[_Callable[..., _Any]] = ..., pointwise_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    def call(self, inputs: TensorLike) -> Tensor: ...
    arguments: _Any
class SeparableConv2D(SeparableConvolution):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., depth_multiplier: _b.int = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., depthwise_initializer: _Optional[_Callable[..., _Any]] = ..., pointwise_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., depthwise_regularizer: _Optional[_Callable[..., _Any]] = ..., pointwise_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., depthwise_constraint: _Optional[_Callable[..., _Any]] = ..., pointwise_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
def separable_conv1d(inputs: TensorLike, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., depth_multiplier: _b.int = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., depthwise_initializer: _Optional[_Callable[..., _Any]] = ..., pointwise_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., depthwise_regularizer: _Optional[_Callable[..., _Any]] = ..., pointwise_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., depthwise_constraint: _Optional[_Callable[..., _Any]] = ..., pointwise_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ...) -> Tensor: ...
def separable_conv2d(inputs: TensorLike, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., depth_multiplier: _b.int = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., depthwise_initializer: _Optional[_Callable[..., _Any]] = ..., pointwise_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., depthwise_regularizer: _Optional[_Callable[..., _Any]] = ..., pointwise_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., depthwise_constraint: _Optional[_Callable[..., _Any]] = ..., pointwise_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ...) -> Tensor: ...
