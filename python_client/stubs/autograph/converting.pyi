# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def convert(function: _Callable[..., _Any], operators: _Any) -> _Callable[..., _Any]: ...
def converted_tree(function: _Any, features: _Any) -> None: ...
