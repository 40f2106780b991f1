# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.graph import Graph as Graph

def register_proto_function(collection_name: _b.str, proto_type: _Any = ..., to_proto: _Optional[_Callable[..., _Any]] = ..., from_proto: _Optional[_Callable[..., _Any]] = ...) -> None: ...
def export_meta_graph(filename: _Optional[_b.str] = ..., meta_info_def: _Any = ..., graph_def: _Any = ..., saver_def: _Any = ..., collection_list: _Optional[_Sequence[_b.str]] = ..., as_text: _b.bool = ..., graph: _Optional[Graph] = ..., export_scope: _Optional[_b.str] = ..., clear_devices: _b.bool = ..., clear_extraneous_savers: _b.bool = ..., strip_default_attrs: _b.bool = ..., save_debug_info: _Any = ...) -> _Any: ...
def export_scoped_meta_graph(filename: _Optional[_b.str] = ..., graph_def: _Any = ..., graph: _Optional[Graph] = ..., export_scope: _Optional[_b.str] = ..., as_text: _b.bool = ..., unbound_inputs_col_name: _Optional[_b.str] = ..., **kwargs: _Any) -> _Any: ...
