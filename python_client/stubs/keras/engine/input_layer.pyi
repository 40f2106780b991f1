# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.keras.engine.layer import Layer as Layer
from sluice.types import DTypeLike as DTypeLike
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

class InputLayer(Layer):
    is_placeholder: _Any
    built: _Any
    sparse: _Any
    ragged: _Any
    def __init__(self, input_shape: _Optional[_Union[ShapeLike, Tensor]] = ..., batch_size: _Optional[_b.int] = ..., dtype: _Optional[_b.str] = ..., input_tensor: _Optional[TensorLike] = ..., sparse: _b.bool = ..., name: _Optional[_b.str] = ..., ragged: _b.bool = ..., **kwargs: _Any) -> None: ...
    @property
    def input(self) -> _Any: ...
    def get_config(self) -> _Any: ...
    arguments: _Any
def Input(shape: _Optional[_Union[ShapeLike, Tensor]] = ..., batch_size: _Optional[_b.int] = ..., name: _Optional[_b.str] = ..., dtype: _Optional[DTypeLike] = ..., sparse: _b.bool = ..., tensor: _Optional[TensorLike] = ..., ragged: _b.bool = ..., **kwargs: _Any) -> Tensor: ...
