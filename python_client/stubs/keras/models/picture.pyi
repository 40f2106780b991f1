# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def model_to_dot(model: _Any, show_shapes: _b.bool = ..., show_layer_names: _b.bool = ..., rankdir: _b.str = ..., expand_nested: _b.bool = ..., dpi: _b.int = ..., subgraph: _b.bool = ...) -> _Any: ...
def plot_model(model: _Any, to_file: _b.str = ..., show_shapes: _b.bool = ..., show_layer_names: _b.bool = ..., rankdir: _b.str = ..., expand_nested: _b.bool = ..., dpi: _b.int = ...) -> None: ...
