# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.models.model import Model as Model
from sluice.types import TensorLike as TensorLike

class RevivedModel(Model):
    def __init__(self, saved_graph: _Any) -> None: ...
    def call(self, inputs: TensorLike, training: _Optional[_b.bool] = ...) -> _Any: ...
def revive(saved_graph: _Any, class_name: _b.str) -> _Any: ...
