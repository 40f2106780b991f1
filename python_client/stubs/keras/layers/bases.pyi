# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.engine.layer import Layer as Layer

class Conv(Convolution, Layer):
    def __init__(self, rank: _b.int, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
class SeparableConv(SeparableConvolution, Conv):
    def __init__(self, rank: _b.int, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., depth_multiplier: _b.int = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., depthwise_initializer: _Optional[_Callable[..., _Any]] = ..., pointwise_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., depthwise_regularizer: _Optional[_Callable[..., _Any]] = ..., pointwise_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., depthwise_constraint: _Optional[_Callable[..., _Any]] = ..., pointwise_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
class Pooling1D(Layer): ...
class Pooling2D(Layer):
    def __init__(self, pool_function: _Callable[..., _Any], pool_size: _Union[_b.int, _Sequence[_b.int]], strides: _Optional[_Union[_b.int, _Sequence[_b.int]]], padding: _b.str = ..., data_format: _Optional[_b.str] = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
class Pooling3D(Layer): ...
