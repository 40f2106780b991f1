# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def likeliest_of(table: _Any, output_projection: _Any = ..., update_embedding: _b.bool = ...) -> _Callable[..., _Any]: ...
def check_projection(output_projection: _Any, num_symbols: _b.int, dtype: _Optional[DTypeLike] = ...) -> None: ...
def fed(decode: _Callable[..., _Any], feed_previous: TensorLike, count: _b.int, structure: _Any) -> _Any: ...
