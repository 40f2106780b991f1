# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def make_decorator(target: _Callable[..., _Any], decorator_func: _Callable[..., _Any], *args: _Any, **kwargs: _Any) -> _Callable[..., _Any]: ...
def unwrap(maybe_tf_decorator: _Callable[..., _Any]) -> _Any: ...
def getfullargspec(func: _Callable[..., _Any]) -> _Any: ...
