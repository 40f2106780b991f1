# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.nets.plain import vgg_16 as vgg_16
from sluice.contrib_parts.slim.nets.plain import vgg_19 as vgg_19
from sluice.contrib_parts.slim.nets.plain import vgg_a as vgg_a
from sluice.contrib_parts.slim.nets.plain import vgg_arg_scope as vgg_arg_scope
from sluice.contrib_parts.slim.nets.plain import vgg_16 as _contrib_parts_slim_nets_plain_vgg_16
vgg_d = _contrib_parts_slim_nets_plain_vgg_16
from sluice.contrib_parts.slim.nets.plain import vgg_19 as _contrib_parts_slim_nets_plain_vgg_19
vgg_e = _contrib_parts_slim_nets_plain_vgg_19
