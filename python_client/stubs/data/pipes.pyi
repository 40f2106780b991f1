# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.data.dataset import Dataset as Dataset

class PipeModeDataset(Dataset):
    def __init__(self, channel: _b.str, record_format: _b.str = ..., state_dir: _b.str = ..., pipe_dir: _b.str = ..., num_shards: _Any = ..., shard_index: _b.int = ..., timeout: _b.int = ...) -> None: ...
