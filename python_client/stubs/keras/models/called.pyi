# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.elements import Tensor as Tensor

class Called:
    input_names: _Any
    output_names: _Any
    nested_inputs: _Any
    nested_outputs: _Any
    inputs: _Any
    outputs: _b.list[Tensor]
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
def for_any_batch(model: _Any) -> _Any: ...
