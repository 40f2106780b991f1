# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def add_arg_scope(func: _Callable[..., _Any]) -> _Callable[..., _Any]: ...
def has_arg_scope(func: _Callable[..., _Any]) -> _b.bool: ...
def arg_scope(list_ops_or_scope: _Any, **kwargs: _Any) -> _ContextManager[_Any]: ...
