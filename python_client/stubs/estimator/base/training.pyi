# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class TrainSpec(_b.tuple[_Any, ...]):
    def __init__(self, input_fn: _Any, max_steps: _Optional[_b.int] = ..., hooks: _Any = ...) -> None: ...
class EvalSpec(_b.tuple[_Any, ...]):
    def __init__(self, input_fn: _Any, steps: _Optional[_b.int] = ..., name: _Optional[_b.str] = ..., hooks: _Any = ..., exporters: _Any = ..., start_delay_secs: _b.float = ..., throttle_secs: _b.float = ...) -> None: ...
def train_and_evaluate(estimator: _Any, train_spec: _Any, eval_spec: _Any) -> _Any: ...
