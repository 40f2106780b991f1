# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.graph import Graph as Graph
from sluice.types import TensorLike as TensorLike

def import_graph_def(graph_def: _Any, input_map: _Optional[TensorLike] = ..., return_elements: _Optional[_Sequence[_b.str]] = ..., name: _Optional[_b.str] = ..., op_dict: _Any = ..., producer_op_list: _Any = ...) -> _Optional[_b.list[_Any]]: ...
def write_graph(graph_or_graph_def: Graph, logdir: _b.str, name: _b.str, as_text: _b.bool = ...) -> _b.str: ...
