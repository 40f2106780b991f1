# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def entered(stack: _Any, item: _Any) -> _Any: ...
def session_or_default(session: _Any, graph: _Any = ..., verb: _Any = ..., method: _Any = ...) -> None: ...
def get_default_session() -> _Any: ...
