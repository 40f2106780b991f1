# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union


class Setting:
    def __init__(self, owner: _Any, values: _b.dict[_Any, _Any]) -> None: ...
    def __enter__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
    def __exit__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class GraphState:
    core: _Any
    ops: _Any
    names: _Any
    collections: _Any
    functions: _Any
    python_functions: _Any
    scope: _Any
    devices: _Any
    colocation: _Any
    control: _Any
    container: _Any
    branch: _Any
    overrides: _Any
    implied: _Any
    overridden: _Any
    creators: _Any
    loss_reduction: _Any
    is_loss_scaled: _Any
    together: _Any
    stacks: _Any
    made_by_bodies: _Any
    retraced: _Any
    def __init__(self) -> None: ...
    def within(self, **values: _Any) -> None: ...
    def made_here(self, first: _Any) -> None: ...
    def made_at(self, node_id: _Any) -> None: ...
    def tell_places(self) -> None: ...
def give_state(graph: _Any) -> None: ...
def state_of(graph: _Any) -> None: ...
