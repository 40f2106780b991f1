# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def counter(name: _Any, shape: _Any = ..., dtype: _Any = ...) -> None: ...
def aggregated(function: _Any) -> None: ...
def collect(value: _Any, update: _Any, metrics_collections: _Any, updates_collections: _Any) -> None: ...
