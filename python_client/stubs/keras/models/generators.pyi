# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class ByGenerators:
    def fit_generator(self, generator: _Any, steps_per_epoch: _Optional[_b.int] = ..., epochs: _b.int = ..., verbose: _Any = ..., callbacks: _Any = ..., validation_data: _Any = ..., validation_steps: _Any = ..., validation_freq: _Any = ..., class_weight: _Any = ..., max_queue_size: _Any = ..., workers: _Any = ..., use_multiprocessing: _Any = ..., shuffle: _b.bool = ..., initial_epoch: _b.int = ...) -> _Any: ...
    def evaluate_generator(self, generator: _Any, steps: _Optional[_b.int] = ..., callbacks: _Any = ..., max_queue_size: _Any = ..., workers: _Any = ..., use_multiprocessing: _Any = ..., verbose: _Any = ...) -> _Any: ...
    def predict_generator(self, generator: _Any, steps: _Optional[_b.int] = ..., callbacks: _Any = ..., max_queue_size: _Any = ..., workers: _Any = ..., use_multiprocessing: _Any = ..., verbose: _Any = ...) -> _Any: ...
