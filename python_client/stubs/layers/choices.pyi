# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def known(flag: _b.int) -> None: ...
def chosen(flag: _Any, true_fn: _Any, false_fn: _Any) -> None: ...
def smart_cond(pred: TensorLike, true_fn: _Optional[_Callable[..., _Any]] = ..., false_fn: _Any = ..., name: _Any = ...) -> _Any: ...
