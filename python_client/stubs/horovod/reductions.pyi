# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

class ReduceOp:
    merge_op: _Any
    final_op: _Any
    def __init__(self, name: _Any, merge_op: _Any, final_op: _Any = ...) -> None: ...
def chosen_op(op: _Any, average: _Any = ...) -> None: ...
def allreduce(tensor: _Any, average: _Optional[_b.bool] = ..., device_dense: TensorLike = ..., device_sparse: _Any = ..., compression: _Any = ..., op: _Any = ..., prescale_factor: _b.float = ..., postscale_factor: _b.float = ..., name: _Optional[TensorLike] = ..., process_set: _Any = ..., ignore_name_scope: _b.bool = ...) -> _Any: ...
def grouped_allreduce(tensors: _Any, average: _Optional[_b.bool] = ..., device_dense: TensorLike = ..., device_sparse: _Any = ..., compression: _Any = ..., op: _Any = ..., prescale_factor: _b.float = ..., postscale_factor: _b.float = ..., process_set: _Any = ..., name: _Optional[TensorLike] = ...) -> _b.list[Tensor]: ...
def reducescatter(tensor: TensorLike, device_dense: _b.str = ..., compression: _Any = ..., op: _Any = ..., name: _Optional[TensorLike] = ..., process_set: _Any = ..., prescale_factor: _b.float = ..., postscale_factor: _b.float = ...) -> Tensor: ...
