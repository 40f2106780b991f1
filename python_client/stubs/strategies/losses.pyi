# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.types import TensorLike as TensorLike

def compute_average_loss(per_example_loss: TensorLike, sample_weight: _Optional[TensorLike] = ..., global_batch_size: _Any = ...) -> Tensor: ...
def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor: ...
def get_loss_reduction() -> _Any: ...
