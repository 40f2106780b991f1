# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.known_optimizer import KnownOptimizer as KnownOptimizer
from sluice.types import TensorLike as TensorLike

class Adam(KnownOptimizer):
    amsgrad: _Any
    def __init__(self, learning_rate: TensorLike = ..., beta_1: _b.float = ..., beta_2: _b.float = ..., epsilon: _Any = ..., amsgrad: _b.bool = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
    def set_weights(self, weights: _Any) -> None: ...
class Adamax(KnownOptimizer):
    def __init__(self, learning_rate: TensorLike = ..., beta_1: _b.float = ..., beta_2: _b.float = ..., epsilon: _Any = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
class Nadam(KnownOptimizer):
    def __init__(self, learning_rate: _b.float = ..., beta_1: _b.float = ..., beta_2: _b.float = ..., epsilon: _Any = ..., name: _b.str = ..., **kwargs: _Any) -> None: ...
