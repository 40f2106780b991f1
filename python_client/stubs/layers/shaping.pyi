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

class Dropout(Layer):
    rate: _Any
    noise_shape: _Any
    seed: _Any
    def __init__(self, rate: TensorLike = ..., noise_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., seed: _Optional[_b.int] = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    supports_masking: _Any
    def call(self, inputs: TensorLike, training: _b.bool = ...) -> Tensor: ...
    def compute_output_shape(self, input_shape: _Union[ShapeLike, Tensor]) -> TensorShape: ...
    arguments: _Any
class Flatten(Layer):
    data_format: _Any
    def __init__(self, data_format: _Any = ..., **kwargs: _Any) -> None: ...
    def call(self, inputs: TensorLike) -> Tensor: ...
    def compute_output_shape(self, input_shape: _Union[ShapeLike, Tensor]) -> TensorShape: ...
    arguments: _Any
def dropout(inputs: TensorLike, rate: TensorLike = ..., noise_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., seed: _Optional[_b.int] = ..., training: _b.bool = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def flatten(inputs: TensorLike, name: _Optional[_b.str] = ..., data_format: _Any = ...) -> Tensor: ...
