# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.optimizers import Optimizer as Optimizer
from sluice.types import TensorLike as TensorLike

class KnownOptimizer(Optimizer):
    epsilon: _Any
    def __init__(self, learning_rate: TensorLike, name: _b.str, epsilon: _Any = ..., **kwargs: _Any) -> None: ...
    def get_config(self) -> _Any: ...
def whole(rows: _Any, var: _Any, indices: _Any) -> None: ...
