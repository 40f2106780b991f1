# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Fetches:
    tensors: _Any
    targets: _Any
    def __init__(self, session: _Any, structure: _Any) -> None: ...
    def values(self, fetched: _Any) -> None: ...
def feeds_of(graph: _Any, feed_dict: _Any, any_shape: _Any = ...) -> None: ...
