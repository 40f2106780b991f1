# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import ShapeLike as ShapeLike
from sluice.types import TensorLike as TensorLike

def cond(pred: TensorLike, true_fn: _Optional[_Callable[..., _Any]] = ..., false_fn: _Optional[_Callable[..., _Any]] = ..., strict: _b.bool = ..., name: _Optional[_b.str] = ..., fn1: _Any = ..., fn2: _Any = ...) -> _Any: ...
def while_loop(cond: _Callable[..., _Any], body: _Callable[..., _Any], loop_vars: TensorLike, shape_invariants: _Optional[_Union[ShapeLike, Tensor]] = ..., parallel_iterations: _b.int = ..., back_prop: _Any = ..., swap_memory: _Any = ..., name: _Optional[_b.str] = ..., maximum_iterations: _Optional[TensorLike] = ..., return_same_structure: _b.bool = ...) -> _Any: ...
