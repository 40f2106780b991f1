# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.base.sequences import Sequence as Sequence
from sluice.types import DTypeLike as DTypeLike

def pad_sequences(sequences: _Any, maxlen: _Optional[_b.int] = ..., dtype: DTypeLike = ..., padding: _b.str = ..., truncating: _b.str = ..., value: _Any = ...) -> _Any: ...
def make_sampling_table(size: _b.int, sampling_factor: _b.float = ...) -> _Any: ...
def skipgrams(sequence: _Sequence[_b.int], vocabulary_size: _b.int, window_size: _b.int = ..., negative_samples: _b.float = ..., shuffle: _b.bool = ..., categorical: _b.bool = ..., sampling_table: _Any = ..., seed: _Optional[_b.int] = ...) -> _b.tuple[_Any, ...]: ...
class TimeseriesGenerator(Sequence):
    start_index: _Any
    end_index: _Any
    data: _Any
    targets: _Any
    length: _Any
    sampling_rate: _Any
    stride: _Any
    shuffle: _Any
    reverse: _Any
    batch_size: _Any
    def __init__(self, data: _Any, targets: _Any, length: _b.int, sampling_rate: _b.int = ..., stride: _b.int = ..., start_index: _b.int = ..., end_index: _Optional[_b.int] = ..., shuffle: _b.bool = ..., reverse: _b.bool = ..., batch_size: _b.int = ...) -> None: ...
    def __len__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def __getitem__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def get_config(self) -> _Any: ...
    def to_json(self, **kwargs: _Any) -> _Any: ...
