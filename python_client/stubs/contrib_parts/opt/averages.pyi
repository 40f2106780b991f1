# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Operation as Operation
from sluice.training.optimizer import Optimizer as Optimizer
from sluice.types import TensorLike as TensorLike

class MovingAverageOptimizer(Optimizer):
    def __init__(self, opt: _Any, average_decay: _b.float = ..., num_updates: _Optional[TensorLike] = ..., sequential_update: _b.bool = ...) -> None: ...
    def compute_gradients(self, *args: _Any, **kwargs: _Any) -> _b.list[_Any]: ...
    def apply_gradients(self, grads_and_vars: _Any, global_step: _Any = ..., name: _Optional[_b.str] = ...) -> Operation: ...
    def swapping_saver(self, var_list: _Optional[_Sequence[TensorLike]] = ..., name: _b.str = ..., **kwargs: _Any) -> _Any: ...
