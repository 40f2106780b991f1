# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.graph import Graph as Graph
from sluice.types import TensorLike as TensorLike

class Branch:
    pivot: _Any
    def __init__(self, graph: Graph, predicate: TensorLike, taken: _Any, pivot: TensorLike) -> None: ...
    def switched(self, tensors: _Any, name: _b.str) -> None: ...
    def results(self, function: _Callable[..., _Any]) -> None: ...
def switch_cond(pred: TensorLike, true_fn: _Callable[..., _Any], false_fn: _Callable[..., _Any], name: _Optional[_b.str] = ...) -> _Any: ...
