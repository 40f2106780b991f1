# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

class AggregationMethod:
    ADD_N: _Any
    DEFAULT: _Any
    EXPERIMENTAL_TREE: _Any
    EXPERIMENTAL_ACCUMULATE_N: _Any
class UnconnectedGradients:
    def __init__(self, value: _Any) -> None: ...
    NONE: _Any
    ZERO: _Any
def gradients(ys: TensorLike, xs: TensorLike, grad_ys: _Optional[TensorLike] = ..., name: _b.str = ..., colocate_gradients_with_ops: _b.bool = ..., gate_gradients: _b.bool = ..., aggregation_method: _Any = ..., stop_gradients: _Optional[_Sequence[TensorLike]] = ..., unconnected_gradients: _Any = ...) -> _Optional[_b.list[_Any]]: ...
def convert_to_dense(value: _Any) -> Tensor: ...
def hessians(ys: TensorLike, xs: TensorLike, name: _b.str = ..., colocate_gradients_with_ops: _Any = ..., gate_gradients: _Any = ..., aggregation_method: _Any = ...) -> _b.list[_Any]: ...
