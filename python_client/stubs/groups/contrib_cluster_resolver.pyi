# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.strategies.resolvers import ClusterResolver as ClusterResolver
from sluice.strategies.refused import GCEClusterResolver as GCEClusterResolver
from sluice.strategies.schedulers import KubernetesClusterResolver as KubernetesClusterResolver
from sluice.strategies.resolvers import SimpleClusterResolver as SimpleClusterResolver
from sluice.strategies.schedulers import SlurmClusterResolver as SlurmClusterResolver
from sluice.strategies.resolvers import TFConfigClusterResolver as TFConfigClusterResolver
from sluice.strategies.refused import TPUClusterResolver as TPUClusterResolver
from sluice.strategies.resolvers import UnionResolver as _strategies_resolvers_UnionResolver
UnionClusterResolver = _strategies_resolvers_UnionResolver
