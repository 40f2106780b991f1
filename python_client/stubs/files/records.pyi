# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class TFRecordCompressionType:
    NONE: _Any
    ZLIB: _Any
    GZIP: _Any
class TFRecordOptions:
    compression_strategy: _Any
    compression_type: _Any
    flush_mode: _Any
    input_buffer_size: _Any
    output_buffer_size: _Any
    window_bits: _Any
    compression_level: _Any
    compression_method: _Any
    mem_level: _Any
    def __init__(self, compression_type: _Any = ..., flush_mode: _Optional[_b.int] = ..., input_buffer_size: _Any = ..., output_buffer_size: _Any = ..., window_bits: _Optional[_b.int] = ..., compression_level: _Optional[_b.int] = ..., compression_method: _Optional[_b.int] = ..., mem_level: _Optional[_b.int] = ..., compression_strategy: _Optional[_b.int] = ...) -> None: ...
    compression_type_map: _Any
    @classmethod
    def get_compression_type_string(cls, options: _Any) -> _Any: ...
class TFRecordWriter:
    def __init__(self, path: _b.str, options: _Any = ...) -> None: ...
    def __enter__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def __exit__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def write(self, record: _Any) -> None: ...
    def flush(self) -> None: ...
    def close(self) -> None: ...
def tf_record_iterator(path: _b.str, options: _Any = ...) -> _Iterator[_Any]: ...
def summary_iterator(path: _b.str) -> _Iterator[_Any]: ...
