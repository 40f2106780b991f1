# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def boolean_mask(data: TensorLike, mask: TensorLike, name: _Optional[_b.str] = ...) -> _Any: ...
def stack(values: _Sequence[TensorLike], axis: _b.int = ..., name: _Optional[_b.str] = ...) -> _Any: ...
def stack_dynamic_partitions(data: TensorLike, partitions: _b.int, num_partitions: _b.int, name: _Optional[_b.str] = ...) -> _Any: ...
