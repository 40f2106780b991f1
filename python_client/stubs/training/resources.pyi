# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

def register_resource(handle: TensorLike, create: _Any, is_initialized: TensorLike, is_shared: _b.bool = ...) -> None: ...
def initializers(key: _Any) -> None: ...
def uninitialized(key: _Any) -> None: ...
