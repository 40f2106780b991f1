# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Feature:
    def __init__(self, value: _b.str) -> None: ...
    @classmethod
    def all(cls) -> _b.tuple[_Any, ...]: ...
    @classmethod
    def all_but(cls, exclude: _Any) -> _b.tuple[_Any, ...]: ...
    ALL: _Any
    AUTO_CONTROL_DEPS: _Any
    ASSERT_STATEMENTS: _Any
    BUILTIN_FUNCTIONS: _Any
    EQUALITY_OPERATORS: _Any
    LISTS: _Any
    NAME_SCOPES: _Any
def names_of(features: _Any) -> None: ...
def set_loop_options(parallel_iterations: _Optional[_b.int] = ..., back_prop: _Any = ..., swap_memory: _Any = ..., maximum_iterations: _Any = ...) -> None: ...
def trace(*args: _Any) -> None: ...
