# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import DTypeLike as DTypeLike
from sluice.types import TensorLike as TensorLike

def accuracy(predictions: TensorLike, labels: TensorLike, weights: _Optional[TensorLike] = ..., name: _Optional[_b.str] = ...) -> Tensor: ...
def aggregate_metrics(*value_update_tuples: _Any) -> _b.tuple[_Any, ...]: ...
def aggregate_metric_map(names_to_tuples: _b.dict[_Any, _Any]) -> _b.tuple[_Any, ...]: ...
def confusion_matrix(labels: TensorLike, predictions: TensorLike, num_classes: _Optional[_b.int] = ..., dtype: DTypeLike = ..., name: _Optional[_b.str] = ..., weights: _Any = ...) -> Tensor: ...
