# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor
from sluice.linear_operators.operator import LinearOperator as LinearOperator
from sluice.types import TensorLike as TensorLike

class LinearOperatorDiag(LinearOperator):
    def __init__(self, diag: TensorLike, is_non_singular: _Optional[_b.bool] = ..., is_self_adjoint: _Optional[_b.bool] = ..., is_positive_definite: _Optional[_b.bool] = ..., is_square: _Optional[_b.bool] = ..., name: _Optional[_b.str] = ...) -> None: ...
    @property
    def diag(self) -> Tensor: ...
