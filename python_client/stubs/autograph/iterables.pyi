# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Loops(_b.tuple[_Any, ...]):
    def __init__(self, run: _Optional[_Callable[..., _Any]], enumerated: _Optional[_Callable[..., _Any]] = ..., zipped: _Optional[_Callable[..., _Any]] = ...) -> None: ...
    def __getnewargs__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    run: _Any
    enumerated: _Any
    zipped: _Any
def run_loops_of(cls: _Any, *functions: _Any) -> None: ...
def loops_of(values: _Any) -> None: ...
