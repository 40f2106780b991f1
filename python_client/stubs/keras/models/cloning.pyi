# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def clone_model(model: _Any, input_tensors: _Optional[TensorLike] = ..., clone_function: _Optional[_Callable[..., _Any]] = ...) -> _Any: ...
def get_source_inputs(tensor: TensorLike, layer: _Optional[TensorLike] = ..., node_index: _Optional[TensorLike] = ...) -> _b.list[Tensor]: ...
def convert_all_kernels_in_model(model: _Any) -> None: ...
