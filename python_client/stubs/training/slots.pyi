# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def create_slot(primary: _Any, val: _Any, name: _Any, colocate_with_primary: _Any = ...) -> None: ...
def create_slot_with_initializer(primary: _Any, initializer: _Any, shape: _Any, dtype: _Any, name: _Any, colocate_with_primary: _Any = ...) -> None: ...
def create_zeros_slot(primary: _Any, name: _Any, dtype: _Any = ..., colocate_with_primary: _Any = ...) -> None: ...
