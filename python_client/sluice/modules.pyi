# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def make(name: _b.str, doc: _Any, names: _b.dict[_Any, _Any]) -> _Any: ...
def add(module: _Any, names: _Any, source: _Any) -> None: ...
def show_public_names(module: _Any) -> None: ...
