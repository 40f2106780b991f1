# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def nodes_of(ys: _Sequence[TensorLike], xs: _Sequence[TensorLike], without_gradient: _b.int, gated: _b.bool) -> _Optional[_b.int]: ...
def count_more_of(op: _Any, number: _b.int) -> None: ...
