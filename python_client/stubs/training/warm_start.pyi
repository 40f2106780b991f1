# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def init_from_checkpoint(ckpt_dir_or_file: _Any, assignment_map: _Any) -> None: ...
def warm_start(ckpt_to_initialize_from: _Any, vars_to_warm_start: _Any = ..., var_name_to_vocab_info: _Optional[_b.dict[_Any, _Any]] = ..., var_name_to_prev_var_name: _Optional[_b.dict[_Any, _Any]] = ...) -> None: ...
