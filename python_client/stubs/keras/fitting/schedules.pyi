# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class LearningRateSchedule:
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def get_config(self) -> _Any: ...
    @classmethod
    def from_config(cls, config: _Any) -> _Any: ...
class ExponentialDecay(LearningRateSchedule):
    initial_learning_rate: _Any
    decay_steps: _Any
    decay_rate: _Any
    staircase: _Any
    name: _b.str
    def __init__(self, initial_learning_rate: _b.float, decay_steps: _b.int, decay_rate: _b.float, staircase: _b.bool = ..., name: _Optional[_b.str] = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class InverseTimeDecay(LearningRateSchedule):
    initial_learning_rate: _Any
    decay_steps: _Any
    decay_rate: _Any
    staircase: _Any
    name: _b.str
    def __init__(self, initial_learning_rate: _b.float, decay_steps: _b.int, decay_rate: _b.float, staircase: _b.bool = ..., name: _Optional[_b.str] = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class PiecewiseConstantDecay(LearningRateSchedule):
    boundaries: _Any
    values: _Any
    name: _b.str
    def __init__(self, boundaries: _Sequence[_b.int], values: _Any, name: _Optional[_b.str] = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class PolynomialDecay(LearningRateSchedule):
    initial_learning_rate: _Any
    decay_steps: _Any
    end_learning_rate: _Any
    power: _Any
    cycle: _Any
    name: _b.str
    def __init__(self, initial_learning_rate: _b.float, decay_steps: _b.int, end_learning_rate: _b.float = ..., power: _b.float = ..., cycle: _b.bool = ..., name: _Optional[_b.str] = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class CosineDecay(LearningRateSchedule):
    initial_learning_rate: _Any
    decay_steps: _Any
    alpha: _Any
    name: _b.str
    def __init__(self, initial_learning_rate: _b.float, decay_steps: _b.int, alpha: _b.float = ..., name: _Optional[_b.str] = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class CosineDecayRestarts(LearningRateSchedule):
    initial_learning_rate: _Any
    first_decay_steps: _Any
    alpha: _Any
    name: _b.str
    def __init__(self, initial_learning_rate: _b.float, first_decay_steps: _b.int, t_mul: _b.float = ..., m_mul: _b.float = ..., alpha: _b.float = ..., name: _Optional[_b.str] = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def get_config(self) -> _Any: ...
class LinearCosineDecay(LearningRateSchedule):
    name: _b.str
    initial_learning_rate: _Any
    decay_steps: _Any
    num_periods: _Any
    alpha: _Any
    beta: _Any
    def __init__(self, initial_learning_rate: _b.float, decay_steps: _b.int, num_periods: _b.float = ..., alpha: _b.float = ..., beta: _b.float = ..., name: _Optional[_b.str] = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class NoisyLinearCosineDecay(LearningRateSchedule):
    name: _b.str
    initial_learning_rate: _Any
    decay_steps: _Any
    initial_variance: _Any
    variance_decay: _Any
    num_periods: _Any
    alpha: _Any
    beta: _Any
    def __init__(self, initial_learning_rate: _b.float, decay_steps: _b.int, initial_variance: _b.float = ..., variance_decay: _b.float = ..., num_periods: _b.float = ..., alpha: _b.float = ..., beta: _b.float = ..., name: _Optional[_b.str] = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
def serialize(learning_rate_schedule: _Any) -> _Any: ...
def deserialize(config: _Any, custom_objects: _Optional[_b.dict[_Any, _Any]] = ...) -> _Any: ...
