# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def ops_of(graph_def: _Any) -> _Any: ...
def names_of_ops(graph_def: _Any) -> _b.list[_b.str]: ...
