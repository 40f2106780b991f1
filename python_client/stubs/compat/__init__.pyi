# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.compat import v2 as v2
from sluice.compat.horizon import forward_compatibility_horizon as forward_compatibility_horizon
from sluice.compat.horizon import forward_compatible as forward_compatible
from sluice.compat.texts import as_bytes as as_bytes
from sluice.compat.texts import as_str_any as as_str_any
from sluice.compat.texts import as_text as _compat_texts_as_text
as_str = _compat_texts_as_text
from sluice.compat.texts import as_text as as_text
from sluice.compat.texts import path_to_str as path_to_str
from sluice.graph.tensor_shape import dimension_at_index as dimension_at_index
from sluice.graph.tensor_shape import dimension_value as dimension_value
import sluice as _
v1 = _

bytes_or_text_types: _Any
complex_types: _Any
integral_types: _Any
real_types: _Any
