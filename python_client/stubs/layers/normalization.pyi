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

class BatchNormalization(Layer):
    axis: _Any
    fused: _Any
    renorm_clipping: _Any
    gamma: _Any
    beta: _Any
    moving_mean: _Any
    moving_variance: _Any
    moving_stddev: _Any
    renorm_mean: _Any
    renorm_stddev: _Any
    momentum: _Any
    epsilon: _Any
    center: _Any
    scale: _Any
    virtual_batch_size: _Any
    adjustment: _Any
    renorm: _Any
    renorm_momentum: _Any
    def __init__(self, axis: _Sequence[_b.int] = ..., momentum: _b.float = ..., epsilon: _Any = ..., center: _b.bool = ..., scale: _b.bool = ..., beta_initializer: _Optional[_Callable[..., _Any]] = ..., gamma_initializer: _Optional[_Callable[..., _Any]] = ..., moving_mean_initializer: _Optional[_Callable[..., _Any]] = ..., moving_variance_initializer: _Optional[_Callable[..., _Any]] = ..., beta_regularizer: _Optional[_Callable[..., _Any]] = ..., gamma_regularizer: _Optional[_Callable[..., _Any]] = ..., beta_constraint: _Optional[_Callable[..., _Any]] = ..., gamma_constraint: _Optional[_Callable[..., _Any]] = ..., renorm: _b.bool = ..., renorm_clipping: _Any = ..., renorm_momentum: _b.float = ..., fused: _Optional[_b.bool] = ..., trainable: _b.bool = ..., virtual_batch_size: _Optional[_b.int] = ..., adjustment: _Optional[_Callable[..., _Any]] = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    supports_masking: _Any
    arguments: _Any
    def get_config(self) -> _Any: ...
    def build(self, input_shape: _Union[ShapeLike, Tensor]) -> None: ...
    def call(self, inputs: TensorLike, training: _b.bool = ...) -> Tensor: ...
    def compute_output_shape(self, input_shape: _Union[ShapeLike, Tensor]) -> TensorShape: ...
def moved(average: _Any, value: TensorLike, momentum: TensorLike) -> _Any: ...
def updated(training: TensorLike, average: _Any, value: TensorLike, momentum: TensorLike) -> _Any: ...
def batch_normalization(inputs: TensorLike, axis: _Sequence[_b.int] = ..., momentum: _b.float = ..., epsilon: _Any = ..., center: _b.bool = ..., scale: _b.bool = ..., beta_initializer: _Optional[_Callable[..., _Any]] = ..., gamma_initializer: _Optional[_Callable[..., _Any]] = ..., moving_mean_initializer: _Optional[_Callable[..., _Any]] = ..., moving_variance_initializer: _Optional[_Callable[..., _Any]] = ..., beta_regularizer: _Optional[_Callable[..., _Any]] = ..., gamma_regularizer: _Optional[_Callable[..., _Any]] = ..., beta_constraint: _Optional[_Callable[..., _Any]] = ..., gamma_constraint: _Optional[_Callable[..., _Any]] = ..., training: _b.bool = ..., trainable: _b.bool = ..., name: _Optional[_b.str] = ..., reuse: _Optional[_b.bool] = ..., renorm: _b.bool = ..., renorm_clipping: _Any = ..., renorm_momentum: _b.float = ..., fused: _Optional[_b.bool] = ..., virtual_batch_size: _Optional[_b.int] = ..., adjustment: _Optional[_Callable[..., _Any]] = ...) -> Tensor: ...
