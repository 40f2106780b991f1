# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.strategies import AllReduceCrossDeviceOps as AllReduceCrossDeviceOps
from sluice.contrib_parts.strategies import CollectiveAllReduceStrategy as CollectiveAllReduceStrategy
from sluice.strategies.reductions import CrossDeviceOps as CrossDeviceOps
from sluice.contrib_parts.strategies import DistributeConfig as DistributeConfig
from sluice.strategies.strategy import Strategy as _strategies_strategy_Strategy
DistributionStrategy = _strategies_strategy_Strategy
from sluice.contrib_parts.strategies import MirroredStrategy as MirroredStrategy
from sluice.strategies.steps import Monitor as Monitor
from sluice.contrib_parts.strategies import MultiWorkerAllReduce as MultiWorkerAllReduce
from sluice.strategies.mirrored import OneDeviceStrategy as OneDeviceStrategy
from sluice.contrib_parts.strategies import ParameterServerStrategy as ParameterServerStrategy
from sluice.strategies.replicas import ReplicaContext as ReplicaContext
from sluice.strategies.steps import StandardInputStep as StandardInputStep
from sluice.strategies.steps import StandardSingleLossStep as StandardSingleLossStep
from sluice.strategies.steps import Step as Step
from sluice.strategies.refused import TPUStrategy as TPUStrategy
from sluice.contrib_parts.strategies import UpdateContext as UpdateContext
from sluice.contrib_parts.strategies import get_cross_replica_context as get_cross_replica_context
from sluice.strategies.contexts import get_strategy as _strategies_contexts_get_strategy
get_distribution_strategy = _strategies_contexts_get_strategy
from sluice.strategies.losses import get_loss_reduction as get_loss_reduction
from sluice.strategies.contexts import get_replica_context as get_replica_context
from sluice.strategies.contexts import get_strategy as get_strategy
from sluice.strategies.contexts import has_strategy as _strategies_contexts_has_strategy
has_distribution_strategy = _strategies_contexts_has_strategy
from sluice.strategies.contexts import has_strategy as has_strategy
from sluice.strategies.contexts import in_cross_replica_context as in_cross_replica_context
from sluice.contrib_parts.strategies import require_replica_context as require_replica_context
from sluice.training.sessions.distribute_coordinator import run_standard_tensorflow_server as run_standard_tensorflow_server
