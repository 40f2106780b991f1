# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.nets.resnet_utils import Block as Block
from sluice.contrib_parts.slim.nets.resnet_utils import conv2d_same as conv2d_same
from sluice.contrib_parts.slim.nets.resnet_utils import resnet_arg_scope as resnet_arg_scope
from sluice.contrib_parts.slim.nets.resnet_utils import stack_blocks_dense as stack_blocks_dense
from sluice.contrib_parts.slim.nets.resnet_utils import subsample as subsample
