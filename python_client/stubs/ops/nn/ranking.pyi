# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def top_k(input: TensorLike, k: TensorLike = ..., sorted: _b.bool = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def in_top_k(predictions: TensorLike, targets: TensorLike, k: _b.int, name: _Optional[_b.str] = ...) -> Tensor: ...
