# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Node:
    key: _Any
    ops: _Any
    kind: _Any
    def __init__(self, key: _b.str, ops: _Any, kind: _b.str) -> None: ...
def outline(node_defs: _Any, most: _b.int = ...) -> _b.tuple[_Any, ...]: ...
