# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Operation as Operation
from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def check_numerics(tensor: TensorLike, message: _b.str, name: _Optional[_b.str] = ...) -> Tensor: ...
def Print(input_: TensorLike, data: _Sequence[TensorLike], message: _Optional[TensorLike] = ..., first_n: _Optional[_b.int] = ..., summarize: _Optional[_b.int] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def Assert(condition: TensorLike, data: _Sequence[TensorLike], summarize: _Optional[_b.int] = ..., name: _Optional[_b.str] = ...) -> Operation: ...
