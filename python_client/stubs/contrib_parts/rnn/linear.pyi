# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

class Linear:
    def __init__(self, parts: TensorLike, size: _b.int, use_bias: _b.bool = ..., bias_initializer: _Any = ..., kernel_initializer: _Any = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
