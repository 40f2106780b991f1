# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.graph.tensor_shape import TensorShape as TensorShape
from sluice.layers.convolution import Convolution as Convolution
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class TransposedConvolution(Convolution):
    output_padding: _Any
    kernel: _Any
    built: _Any
    def __init__(self, rank: _b.int, filters: _b.int, kernel_size: _Union[_b.int, _Sequence[_b.int]], strides: _Union[_b.int, _Sequence[_b.int]], padding: _Any, data_format: _Any, output_padding: _Optional[_Union[_b.int, _Sequence[_b.int]]] = ..., dilation_rate: _Union[_b.int, _Sequence[_b.int]] = ..., **options: _Any) -> None: ...
    def get_config(self) -> _Any: ...
    def build(self, input_shape: _Union[ShapeLike, Tensor]) -> None: ...
    def compute_output_shape(self, input_shape: _Union[ShapeLike, Tensor]) -> TensorShape: ...
class Conv2DTranspose(TransposedConvolution):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
class Conv3DTranspose(TransposedConvolution):
    def __init__(self, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    arguments: _Any
def conv2d_transpose(inputs: TensorLike, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ...) -> Tensor: ...
def conv3d_transpose(inputs: TensorLike, filters: _b.int, kernel_size: _Sequence[_b.int], strides: _Sequence[_b.int] = ..., padding: _Any = ..., data_format: _Any = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Optional[_Callable[..., _Any]] = ..., bias_initializer: _Optional[_Callable[..., _Any]] = ..., kernel_regularizer: _Optional[_Callable[..., _Any]] = ..., bias_regularizer: _Optional[_Callable[..., _Any]] = ..., activity_regularizer: _Optional[_Callable[..., _Any]] = ..., kernel_constraint: _Optional[_Callable[..., _Any]] = ..., bias_constraint: _Optional[_Callable[..., _Any]] = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ...) -> Tensor: ...
