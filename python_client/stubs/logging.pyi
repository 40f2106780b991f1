# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


DEBUG: _Any
INFO: _Any
WARN: _Any
ERROR: _Any
FATAL: _Any
debug: _Any
info: _Any
warn: _Any
warning: _Any
error: _Any
fatal: _Any
log: _Any
def set_verbosity(v: _Any) -> None: ...
def get_verbosity() -> _b.int: ...
def get_logger() -> _Any: ...
def log_if(level: _Any, msg: _b.str, condition: _Any, *args: _Any) -> None: ...
def log_first_n(level: _Any, msg: _b.str, n: _b.int, *args: _Any) -> None: ...
def flush() -> None: ...
def log_every_n(level: _Any, msg: _b.str, n: _b.int, *args: _Any) -> None: ...
