# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.graph import Graph as Graph

def export_meta_graph(filename: _Optional[_b.str] = ..., meta_info_def: _Any = ..., graph_def: _Any = ..., saver_def: _Any = ..., collection_list: _Optional[_Sequence[_b.str]] = ..., as_text: _b.bool = ..., graph: _Optional[Graph] = ..., export_scope: _Optional[_b.str] = ..., clear_devices: _b.bool = ..., clear_extraneous_savers: _b.bool = ..., strip_default_attrs: _b.bool = ..., save_debug_info: _Any = ...) -> _Any: ...
def read_meta_graph(meta_graph_or_file: _Any) -> None: ...
def import_into_graph(meta_graph_or_file: _Any, clear_devices: _Any = ..., import_scope: _Any = ..., input_map: _Any = ...) -> None: ...
