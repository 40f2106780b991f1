# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.estimator.canned.heads import Head as Head

class RegressionHead(Head):
    inverse_link_fn: _Any
    def __init__(self, label_dimension: _b.int = ..., weight_column: _Any = ..., loss_reduction: _Any = ..., loss_fn: _Optional[_Callable[..., _Any]] = ..., inverse_link_fn: _Optional[_Callable[..., _Any]] = ..., name: _Optional[_b.str] = ...) -> None: ...
    @property
    def logits_dimension(self) -> _Any: ...
class LogisticRegressionHead(RegressionHead):
    def __init__(self, weight_column: _Any = ..., loss_reduction: _Any = ..., name: _Optional[_b.str] = ...) -> None: ...
class PoissonRegressionHead(RegressionHead):
    def __init__(self, label_dimension: _b.int = ..., weight_column: _Any = ..., loss_reduction: _Any = ..., compute_full_loss: _b.bool = ..., name: _Optional[_b.str] = ...) -> None: ...
