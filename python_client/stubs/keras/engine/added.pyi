# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.engine.layer import Layer as Layer
from sluice.types import TensorLike as TensorLike

class AddLoss(Layer):
    unconditional: _Any
    def __init__(self, unconditional: _b.bool, **kwargs: _Any) -> None: ...
    def call(self, inputs: TensorLike) -> _Any: ...
    def get_config(self) -> _Any: ...
class AddMetric(Layer):
    aggregation: _Any
    metric_name: _Any
    def __init__(self, aggregation: _Any = ..., metric_name: _Optional[_b.str] = ..., **kwargs: _Any) -> None: ...
    def call(self, inputs: TensorLike) -> _Any: ...
    def get_config(self) -> _Any: ...
