# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.engine.layer import Layer as Layer
from sluice.types import TensorLike as TensorLike

class TensorFlowOpLayer(Layer):
    built: _Any
    ends: _Any
    def __init__(self, node_def: _Any, name: _b.str, constants: _Any = ..., trainable: _Any = ..., dtype: _Any = ...) -> None: ...
    @property
    def node_def(self) -> _Any: ...
    def call(self, inputs: TensorLike) -> _Any: ...
    def get_config(self) -> _Any: ...
def record(tensors: _Sequence[TensorLike]) -> None: ...
