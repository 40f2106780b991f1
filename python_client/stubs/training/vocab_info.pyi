# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class VocabInfo(_b.tuple[_Any, ...]):
    def __init__(self, new_vocab: _b.str, new_vocab_size: _b.int, num_oov_buckets: _b.int, old_vocab: _b.str, old_vocab_size: _b.int = ..., backup_initializer: _Any = ..., axis: _Any = ...) -> None: ...
