# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.graph import Graph as Graph
from sluice.types import TensorLike as TensorLike

def tensor_description(var: TensorLike) -> _b.str: ...
def analyze_ops(graph: Graph, print_info: _b.bool = ...) -> _b.int: ...
def analyze_vars(variables: _Any, print_info: _b.bool = ...) -> _Any: ...
