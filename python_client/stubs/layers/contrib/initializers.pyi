# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import DTypeLike as DTypeLike

def variance_scaling_initializer(factor: _b.float = ..., mode: _Any = ..., uniform: _b.bool = ..., seed: _Optional[_b.int] = ..., dtype: DTypeLike = ...) -> _Callable[..., _Any]: ...
def xavier_initializer(uniform: _b.bool = ..., seed: _Optional[_b.int] = ..., dtype: DTypeLike = ...) -> _Callable[..., _Any]: ...
def xavier_initializer_conv2d(uniform: _b.bool = ..., seed: _Optional[_b.int] = ..., dtype: DTypeLike = ...) -> _Callable[..., _Any]: ...
