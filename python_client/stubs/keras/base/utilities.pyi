# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import DTypeLike as DTypeLike

def to_categorical(y: _Any, num_classes: _Optional[_b.int] = ..., dtype: DTypeLike = ...) -> _Any: ...
def normalize(x: _Any, axis: _b.int = ..., order: _b.int = ...) -> _Any: ...
