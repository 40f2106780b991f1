# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.fitting.callbacks import Callback as Callback

class TensorBoard(Callback):
    update_freq: _Any
    writer: _Any
    merged: _Any
    log_dir: _Any
    histogram_freq: _Any
    batch_size: _Any
    write_graph: _Any
    write_grads: _Any
    write_images: _Any
    embeddings_freq: _Any
    embeddings_layer_names: _Any
    embeddings_metadata: _Any
    embeddings_data: _Any
    def __init__(self, log_dir: _b.str = ..., histogram_freq: _b.int = ..., batch_size: _b.int = ..., write_graph: _b.bool = ..., write_grads: _b.bool = ..., write_images: _b.bool = ..., embeddings_freq: _b.int = ..., embeddings_layer_names: _Optional[_Sequence[_b.str]] = ..., embeddings_metadata: _Any = ..., embeddings_data: _Any = ..., update_freq: _b.int = ..., profile_batch: _Any = ...) -> None: ...
    def set_model(self, model: _Any) -> None: ...
    def on_batch_end(self, batch: _b.int, logs: _Any = ...) -> None: ...
    def on_epoch_begin(self, epoch: _b.int, logs: _Any = ...) -> None: ...
    def on_epoch_end(self, epoch: _b.int, logs: _Any = ...) -> None: ...
    def on_train_end(self, logs: _Any = ...) -> None: ...
