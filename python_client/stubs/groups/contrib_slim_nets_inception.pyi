# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.nets.inception import inception_v1 as inception_v1
from sluice.contrib_parts.slim.nets.inception import inception_v1_arg_scope as inception_v1_arg_scope
from sluice.contrib_parts.slim.nets.inception import inception_v1_base as inception_v1_base
from sluice.contrib_parts.slim.nets.inception import inception_v2 as inception_v2
from sluice.contrib_parts.slim.nets.inception import inception_v2_arg_scope as inception_v2_arg_scope
from sluice.contrib_parts.slim.nets.inception import inception_v2_base as inception_v2_base
from sluice.contrib_parts.slim.nets.inception import inception_v3 as inception_v3
from sluice.contrib_parts.slim.nets.inception import inception_v3_arg_scope as inception_v3_arg_scope
from sluice.contrib_parts.slim.nets.inception import inception_v3_base as inception_v3_base
