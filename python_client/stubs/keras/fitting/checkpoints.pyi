# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.callbacks import Callback as Callback

def newest_matching(pattern: _b.str) -> _Any: ...
class ModelCheckpoint(Callback):
    load_weights_on_restart: _Any
    filepath: _Any
    monitor: _Any
    verbose: _Any
    save_best_only: _Any
    save_weights_only: _Any
    save_freq: _Any
    period: _Any
    monitor_op: _Any
    best: _Any
    def __init__(self, filepath: _b.str, monitor: _b.str = ..., verbose: _Any = ..., save_best_only: _b.bool = ..., save_weights_only: _b.bool = ..., mode: _b.str = ..., save_freq: _b.int = ..., **kwargs: _Any) -> None: ...
    def on_train_begin(self, logs: _Any = ...) -> None: ...
    def on_epoch_begin(self, epoch: _b.int, logs: _Any = ...) -> None: ...
    def on_batch_end(self, batch: _b.int, logs: _Any = ...) -> None: ...
    def on_epoch_end(self, epoch: _b.int, logs: _Any = ...) -> None: ...
