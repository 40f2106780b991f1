# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class InputPipelineConfig:
    PER_SHARD_V1: _Any
    PER_HOST_V1: _Any
    PER_HOST_V2: _Any
    BROADCAST: _Any
    SLICED: _Any
class TPUConfig(_b.tuple[_Any, ...]): ...
class RunConfig:
    def __init__(self, tpu_config: _Any = ..., evaluation_master: _Optional[_b.str] = ..., master: _Optional[_b.str] = ..., cluster: _Any = ..., **kwargs: _Any) -> None: ...
    @property
    def tpu_config(self) -> _Any: ...
    @property
    def evaluation_master(self) -> _b.str: ...
    def replace(self, **kwargs: _Any) -> _Any: ...
