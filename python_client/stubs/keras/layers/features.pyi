# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.graph.tensor_shape import TensorShape as TensorShape
from sluice.keras.engine.layer import Layer as Layer
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class DenseFeatures(Layer):
    built: _Any
    def __init__(self, feature_columns: TensorLike, trainable: _b.bool = ..., name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    def build(self, input_shape: _Union[ShapeLike, Tensor]) -> None: ...
    def call(self, features: TensorLike, cols_to_output_tensors: _Optional[TensorLike] = ...) -> Tensor: ...
    def compute_output_shape(self, input_shape: _b.dict[_Any, _Any]) -> TensorShape: ...
