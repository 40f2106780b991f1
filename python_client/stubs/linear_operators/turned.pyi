# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.linear_operators.operator import LinearOperator as LinearOperator

class TurnedOperator(LinearOperator):
    def __init__(self, operator: _Any, is_non_singular: _Any = ..., is_self_adjoint: _Any = ..., is_positive_definite: _Any = ..., is_square: _Any = ..., name: _Any = ...) -> None: ...
    @property
    def operator(self) -> _Any: ...
class LinearOperatorAdjoint(TurnedOperator): ...
class LinearOperatorInversion(TurnedOperator):
    def __init__(self, operator: _Any, is_non_singular: _Optional[_b.bool] = ..., is_self_adjoint: _Optional[_b.bool] = ..., is_positive_definite: _Optional[_b.bool] = ..., is_square: _Optional[_b.bool] = ..., name: _Optional[_b.str] = ...) -> None: ...
