# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class CriticalSection:
    def __init__(self, name: _Optional[_b.str] = ..., shared_name: _Optional[_b.str] = ..., critical_section_def: _Any = ..., import_scope: _Any = ...) -> None: ...
    @property
    def name(self) -> _b.str: ...
    def execute(self, fn: _Callable[..., _Any], exclusive_resource_access: _b.bool = ..., name: _Optional[_b.str] = ...) -> _Any: ...
