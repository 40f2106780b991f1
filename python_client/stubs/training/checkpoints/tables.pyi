# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Entry(_b.tuple[_Any, ...]):
    def __init__(self, dtype: _Any, shape: _Any) -> None: ...
    def __getnewargs__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    dtype: _Any
    shape: _Any
def entries(data: _Any) -> _Any: ...
