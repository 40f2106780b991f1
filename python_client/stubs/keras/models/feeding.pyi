# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


def as_arrays(data: _Any, names: _Sequence[_b.str], shapes: _Any, kind: _b.str) -> None: ...
def as_weights(sample_weight: _Any, class_weight: _Optional[_b.dict[_Any, _Any]], targets: _Any, names: _Sequence[_b.str], modes: _Any) -> None: ...
def check_names(given: _Any, what: _b.str, names: _Sequence[_b.str]) -> None: ...
