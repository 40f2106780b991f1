# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.static_values import static_value as _graph_static_values_static_value
constant_value = _graph_static_values_static_value
from sluice.files.tensors import make_ndarray as make_ndarray
from sluice.files.tensors import make_tensor_proto as make_tensor_proto
from sluice.contrib_parts.same import ops_used_by_graph_def as ops_used_by_graph_def
from sluice.training.op_list import ops_of as _training_op_list_ops_of
stripped_op_list_for_graph = _training_op_list_ops_of
