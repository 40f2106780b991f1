# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def name_of(path: _Any) -> None: ...
def open_file(path: _Any, mode: _Any) -> None: ...
def write_whole(path: _Any, data: _Any) -> None: ...
