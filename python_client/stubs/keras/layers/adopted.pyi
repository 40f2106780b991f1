# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.keras.engine.layer import Layer as Layer
from sluice.keras.layers.bases import Conv as Conv
from sluice.keras.layers.bases import Pooling1D as Pooling1D
from sluice.keras.layers.bases import Pooling2D as Pooling2D
from sluice.keras.layers.bases import Pooling3D as Pooling3D
from sluice.keras.layers.bases import SeparableConv as SeparableConv
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def phase_of(training: _Any) -> None: ...
def adopted(base: _Any, left_out: _Any = ..., configured: _Any = ..., before: _Any = ..., added: _Any = ..., kind: _Any = ..., **defaults: _Any) -> None: ...
class Conv1D(Conv):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
Convolution1D = Conv1D
class Conv2D(Conv):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
Convolution2D = Conv2D
class Conv3D(Conv):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
Convolution3D = Conv3D
class Conv2DTranspose(Conv2D):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., output_padding: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
Convolution2DTranspose = Conv2DTranspose
class Conv3DTranspose(Conv3D):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., output_padding: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ..., data_format: _Any = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
Convolution3DTranspose = Conv3DTranspose
class SeparableConv1D(SeparableConv):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., depth_multiplier: _b.int = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., depthwise_initializer: _Optional[_Callable[..., _Any]] = ..., pointwise_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., depthwise_regularizer: _Optional[_Callable[..., _Any]] = ..., pointwise_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., depthwise_constraint: _Optional[_Callable[..., _Any]] = ..., pointwise_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
SeparableConvolution1D = SeparableConv1D
class SeparableConv2D(SeparableConv):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., dilation_rate: _Sequence[_b.int] = ..., depth_multiplier: _b.int = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., depthwise_initializer: _Optional[_Callable[..., _Any]] = ..., pointwise_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., depthwise_regularizer: _Optional[_Callable[..., _Any]] = ..., pointwise_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., depthwise_constraint: _Optional[_Callable[..., _Any]] = ..., pointwise_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
SeparableConvolution2D = SeparableConv2D
class MaxPooling1D(Pooling1D):
    def __init__(self, pool_size: _Sequence[_b.int] = ..., strides: _Optional[_Sequence[_b.int]] = ..., padding: _Any = ..., data_format: _Any = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
MaxPool1D = MaxPooling1D
class AveragePooling1D(Pooling1D):
    def __init__(self, pool_size: _Sequence[_b.int] = ..., strides: _Optional[_Sequence[_b.int]] = ..., padding: _Any = ..., data_format: _Any = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
AvgPool1D = AveragePooling1D
class MaxPooling2D(Pooling2D):
    def __init__(self, pool_size: _Sequence[_b.int] = ..., strides: _Optional[_Sequence[_b.int]] = ..., padding: _Any = ..., data_format: _Any = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
MaxPool2D = MaxPooling2D
class AveragePooling2D(Pooling2D):
    def __init__(self, pool_size: _Sequence[_b.int] = ..., strides: _Optional[_Sequence[_b.int]] = ..., padding: _Any = ..., data_format: _Any = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
AvgPool2D = AveragePooling2D
class MaxPooling3D(Pooling3D):
    def __init__(self, pool_size: _Sequence[_b.int] = ..., strides: _Optional[_Sequence[_b.int]] = ..., padding: _Any = ..., data_format: _Any = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
MaxPool3D = MaxPooling3D
class AveragePooling3D(Pooling3D):
    def __init__(self, pool_size: _Sequence[_b.int] = ..., strides: _Optional[_Sequence[_b.int]] = ..., padding: _Any = ..., data_format: _Any = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
AvgPool3D = AveragePooling3D
class Dense(Layer):
    def __init__(self, units: _b.int, activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    supports_masking: _Any
    arguments: _Any
class Dropout(Layer):
    def __init__(self, rate: TensorLike = ..., noise_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., seed: _Optional[_b.int] = ..., **kwargs: _Any) -> None: ...
    supports_masking: _Any
    def call(self, inputs: TensorLike, training: _Optional[_b.bool] = ...) -> Tensor: ...
    arguments: _Any
class BatchNormalization(Layer):
    def __init__(self, axis: _b.int = ..., momentum: _b.float = ..., epsilon: _Any = ..., center: _b.bool = ..., scale: _b.bool = ..., beta_initializer: _Optional[_Callable[..., _Any]] = ..., gamma_initializer: _Optional[_Callable[..., _Any]] = ..., moving_mean_initializer: _Optional[_Callable[..., _Any]] = ..., moving_variance_initializer: _Optional[_Callable[..., _Any]] = ..., beta_regularizer: _Optional[_Callable[..., _Any]] = ..., gamma_regularizer: _Optional[_Callable[..., _Any]] = ..., beta_constraint: _Optional[_Callable[..., _Any]] = ..., gamma_constraint: _Optional[_Callable[..., _Any]] = ..., renorm: _b.bool = ..., renorm_clipping: _Any = ..., renorm_momentum: _b.float = ..., fused: _Optional[_b.bool] = ..., trainable: _b.bool = ..., virtual_batch_size: _Optional[_b.int] = ..., adjustment: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    supports_masking: _Any
    def call(self, inputs: TensorLike, training: _Optional[_b.bool] = ...) -> Tensor: ...
    arguments: _Any
class Flatten(Layer):
    def __init__(self, data_format: _Any = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
