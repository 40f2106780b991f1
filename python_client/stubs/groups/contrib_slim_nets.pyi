# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import contrib_slim_nets_alexnet as _contrib_slim_nets_alexnet
alexnet = _contrib_slim_nets_alexnet
from sluice.groups import contrib_slim_nets_inception as _contrib_slim_nets_inception
inception = _contrib_slim_nets_inception
from sluice.groups import contrib_slim_nets_overfeat as _contrib_slim_nets_overfeat
overfeat = _contrib_slim_nets_overfeat
from sluice.groups import contrib_slim_nets_resnet_utils as _contrib_slim_nets_resnet_utils
resnet_utils = _contrib_slim_nets_resnet_utils
from sluice.groups import contrib_slim_nets_resnet_v1 as _contrib_slim_nets_resnet_v1
resnet_v1 = _contrib_slim_nets_resnet_v1
from sluice.groups import contrib_slim_nets_resnet_v2 as _contrib_slim_nets_resnet_v2
resnet_v2 = _contrib_slim_nets_resnet_v2
from sluice.groups import contrib_slim_nets_vgg as _contrib_slim_nets_vgg
vgg = _contrib_slim_nets_vgg
