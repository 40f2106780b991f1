# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.nest import assert_same_structure as assert_same_structure
from sluice.layers.contrib.structures import assert_shallow_structure as assert_shallow_structure
from sluice.nest import flatten as flatten
from sluice.layers.contrib.structures import flatten_dict_items as flatten_dict_items
from sluice.layers.contrib.structures import flatten_up_to as flatten_up_to
from sluice.nest import is_nested as is_nested
from sluice.nest import is_nested as _nest_is_nested
is_sequence = _nest_is_nested
from sluice.nest import map_structure as map_structure
from sluice.layers.contrib.structures import map_structure_up_to as map_structure_up_to
from sluice.nest import pack_sequence_as as pack_sequence_as
