# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.files.frozen import convert_variables_to_constants as convert_variables_to_constants
from sluice.files.frozen import extract_sub_graph as extract_sub_graph
from sluice.files.graph_io import import_graph_def as import_graph_def
from sluice.files.frozen import must_run_on_cpu as must_run_on_cpu
from sluice.files.frozen import remove_training_nodes as remove_training_nodes
from sluice.files.frozen import tensor_shape_from_node_def_name as tensor_shape_from_node_def_name
