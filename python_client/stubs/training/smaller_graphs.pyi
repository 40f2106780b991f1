# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def strip_default_attrs(graph_def: _Any) -> None: ...
def nodes_of_other_savers(graph_def: _Any, saver_def: _Any) -> _Any: ...
