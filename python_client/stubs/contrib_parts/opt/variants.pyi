# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.training.optimizers import AdamOptimizer as AdamOptimizer
from sluice.types import TensorLike as TensorLike

class LazyAdamOptimizer(AdamOptimizer):
    def __init__(self, learning_rate: TensorLike = ..., beta1: _b.float = ..., beta2: _b.float = ..., epsilon: _Any = ..., use_locking: _b.bool = ..., name: _b.str = ...) -> None: ...
class NadamOptimizer(AdamOptimizer):
    def __init__(self, learning_rate: TensorLike = ..., beta1: _b.float = ..., beta2: _b.float = ..., epsilon: _Any = ..., use_locking: _b.bool = ..., name: _b.str = ...) -> None: ...
class AdaMaxOptimizer(AdamOptimizer):
    def __init__(self, learning_rate: TensorLike = ..., beta1: _b.float = ..., beta2: _b.float = ..., epsilon: _Any = ..., use_locking: _b.bool = ..., name: _b.str = ...) -> None: ...
