# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.graph import Graph as Graph
from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def branches_of(graph: Graph, true_fn: _Callable[..., _Any], false_fn: _Any) -> _Any: ...
def count_cond(true: _Any, false: _Any) -> None: ...
def parts_of_loop(graph: Graph, cond: _Callable[..., _Any], body: _Any, given: DTypeLike, structure: TensorLike) -> _Any: ...
def count_loop(condition: _Any, body: _Any) -> None: ...
