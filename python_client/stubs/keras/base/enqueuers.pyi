# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class SequenceEnqueuer:
    stop_signal: _Any
    run_thread: _Any
    sequence: _Any
    use_multiprocessing: _Any
    workers: _Any
    def __init__(self, sequence: _Any, use_multiprocessing: _b.bool = ...) -> None: ...
    def is_running(self) -> _b.bool: ...
    def start(self, workers: _b.int = ..., max_queue_size: _b.int = ...) -> None: ...
    def stop(self, timeout: _Optional[_b.float] = ...) -> None: ...
    def get(self) -> _Any: ...
class OrderedEnqueuer(SequenceEnqueuer):
    shuffle: _Any
    def __init__(self, sequence: _Any, use_multiprocessing: _b.bool = ..., shuffle: _b.bool = ...) -> None: ...
class GeneratorEnqueuer(SequenceEnqueuer):
    random_seed: _Any
    def __init__(self, sequence: _Any, use_multiprocessing: _b.bool = ..., random_seed: _Any = ...) -> None: ...
