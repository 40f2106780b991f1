# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def input_layer(features: TensorLike, feature_columns: TensorLike, weight_collections: _Optional[_Sequence[_b.str]] = ..., trainable: _b.bool = ..., cols_to_vars: _Optional[_b.dict[_Any, _Any]] = ..., cols_to_output_tensors: _Optional[TensorLike] = ...) -> Tensor: ...
def linear_model(features: TensorLike, feature_columns: _Any, units: _b.int = ..., sparse_combiner: _Any = ..., weight_collections: _Optional[_Sequence[_b.str]] = ..., trainable: _b.bool = ..., cols_to_vars: _Optional[_b.dict[_Any, _Any]] = ...) -> Tensor: ...
def sequence_input_layer(features: _b.dict[_Any, _Any], feature_columns: _Any, weight_collections: _Optional[_Sequence[_b.str]] = ..., trainable: _b.bool = ...) -> _b.tuple[_Any, ...]: ...
