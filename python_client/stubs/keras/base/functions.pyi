# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def described_function(function: _Any) -> _Any: ...
def function_of_code(code: _Any, kind: _b.str, custom_objects: _Optional[_b.dict[_Any, _Any]] = ..., module: _Optional[_b.str] = ...) -> None: ...
