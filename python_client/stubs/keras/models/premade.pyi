# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.keras.models.model import Model as Model
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class LinearModel(Model):
    activation: _Any
    kernel_initializer: _Any
    bias_initializer: _Any
    kernel_regularizer: _Any
    bias_regularizer: _Any
    dense_layers: _Any
    bias: _Any
    built: _Any
    units: _Any
    use_bias: _Any
    def __init__(self, units: _b.int = ..., activation: _Optional[_Callable[..., _Any]] = ..., use_bias: _b.bool = ..., kernel_initializer: _Any = ..., bias_initializer: _Any = ..., kernel_regularizer: _Any = ..., bias_regularizer: _Any = ..., **kwargs: _Any) -> None: ...
    def build(self, input_shape: _Union[ShapeLike, Tensor]) -> None: ...
    def call(self, inputs: TensorLike) -> _Any: ...
    def get_config(self) -> _Any: ...
    @classmethod
    def from_config(cls, config: _Any, custom_objects: _Any = ...) -> _Any: ...
class WideDeepModel(Model):
    activation: _Any
    linear_model: _Any
    dnn_model: _Any
    def __init__(self, linear_model: _Any, dnn_model: _Any, activation: _Optional[_Callable[..., _Any]] = ..., **kwargs: _Any) -> None: ...
    def call(self, inputs: TensorLike) -> _Any: ...
    def make_updates(self) -> _b.list[_Any]: ...
    def get_config(self) -> _Any: ...
    @classmethod
    def from_config(cls, config: _Any, custom_objects: _Optional[_b.dict[_Any, _Any]] = ...) -> _Any: ...
