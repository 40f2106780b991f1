# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Operation as Operation
from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def sdca_optimizer(sparse_example_indices: _Sequence[TensorLike], sparse_feature_indices: _Sequence[TensorLike], sparse_feature_values: _Sequence[TensorLike], dense_features: _Sequence[TensorLike], example_weights: TensorLike, example_labels: TensorLike, sparse_indices: _Sequence[TensorLike], sparse_weights: _Sequence[TensorLike], dense_weights: _Sequence[TensorLike], example_state_data: TensorLike, loss_type: _Any, l1: _Any, l2: _Any, num_loss_partitions: _Any, num_inner_iterations: _Any, adaptative: _b.bool = ..., name: _Optional[_b.str] = ...) -> _b.tuple[_Any, ...]: ...
def sdca_shrink_l1(weights: _Sequence[TensorLike], l1: _Any, l2: _Any, name: _Optional[_b.str] = ...) -> Operation: ...
def sdca_fprint(input: TensorLike, name: _Optional[_b.str] = ...) -> Tensor: ...
