# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Operation as Operation
from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def no_op(name: _Optional[_b.str] = ...) -> Operation: ...
def group(*inputs: _Any, name: _Optional[_b.str] = ...) -> Operation: ...
def tuple(tensors: _Optional[_Sequence[TensorLike]], name: _Optional[_b.str] = ..., control_inputs: _Any = ...) -> _b.list[Tensor]: ...
