# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.types import TensorLike as TensorLike

class EstimatorSpec(_b.tuple[_Any, ...]):
    def __init__(self, mode: _Any, predictions: _Optional[TensorLike] = ..., loss: _Optional[TensorLike] = ..., train_op: _Any = ..., eval_metric_ops: _Any = ..., export_outputs: _Optional[_b.dict[_Any, _Any]] = ..., training_chief_hooks: _Any = ..., training_hooks: _Any = ..., scaffold: _Any = ..., evaluation_hooks: _Any = ..., prediction_hooks: _Any = ...) -> None: ...
def checked_metrics(spec: _Any) -> None: ...
