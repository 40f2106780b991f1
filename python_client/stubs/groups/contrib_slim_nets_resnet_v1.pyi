# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.slim.nets.resnets import bottleneck_v1 as _contrib_parts_slim_nets_resnets_bottleneck_v1
bottleneck = _contrib_parts_slim_nets_resnets_bottleneck_v1
from sluice.contrib_parts.slim.nets.resnet_utils import resnet_arg_scope as resnet_arg_scope
from sluice.contrib_parts.slim.nets.resnets import resnet_v1 as resnet_v1
from sluice.contrib_parts.slim.nets.resnets import resnet_v1_101 as resnet_v1_101
from sluice.contrib_parts.slim.nets.resnets import resnet_v1_152 as resnet_v1_152
from sluice.contrib_parts.slim.nets.resnets import resnet_v1_200 as resnet_v1_200
from sluice.contrib_parts.slim.nets.resnets import resnet_v1_50 as resnet_v1_50
from sluice.contrib_parts.slim.nets.resnets import resnet_v1_block as resnet_v1_block
