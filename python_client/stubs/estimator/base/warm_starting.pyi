# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class WarmStartSettings(_b.tuple[_Any, ...]):
    def __init__(self, ckpt_to_initialize_from: _Any, vars_to_warm_start: _Any = ..., var_name_to_vocab_info: _Optional[_b.dict[_Any, _Any]] = ..., var_name_to_prev_var_name: _Optional[_b.dict[_Any, _Any]] = ...) -> None: ...
def settings_of(warm_start_from: _Any) -> None: ...
def apply(settings: _Any) -> None: ...
