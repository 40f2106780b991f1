# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import distribute_cluster_resolver as _distribute_cluster_resolver
cluster_resolver = _distribute_cluster_resolver
from sluice.groups import distribute_experimental as _distribute_experimental
experimental = _distribute_experimental
from sluice.session.cluster import Server as Server
from sluice.strategies.contexts import experimental_set_strategy as experimental_set_strategy
from sluice.strategies.contexts import get_replica_context as get_replica_context
from sluice.strategies.contexts import get_strategy as get_strategy
from sluice.strategies.contexts import has_strategy as has_strategy
from sluice.strategies.contexts import in_cross_replica_context as in_cross_replica_context
from sluice.strategies.extended import StrategyExtended as StrategyExtended
from sluice.strategies.inputs import DistributedDataset as DistributedDataset
from sluice.strategies.inputs import DistributedIterator as DistributedIterator
from sluice.strategies.inputs import InputContext as InputContext
from sluice.strategies.inputs import InputReplicationMode as InputReplicationMode
from sluice.strategies.losses import get_loss_reduction as get_loss_reduction
from sluice.strategies.mirrored import MirroredStrategy as MirroredStrategy
from sluice.strategies.mirrored import OneDeviceStrategy as OneDeviceStrategy
from sluice.strategies.multi_worker import MultiWorkerMirroredStrategy as MultiWorkerMirroredStrategy
from sluice.strategies.parameter_server import ParameterServerStrategy as ParameterServerStrategy
from sluice.strategies.reductions import CrossDeviceOps as CrossDeviceOps
from sluice.strategies.reductions import HierarchicalCopyAllReduce as HierarchicalCopyAllReduce
from sluice.strategies.reductions import NcclAllReduce as NcclAllReduce
from sluice.strategies.reductions import ReduceOp as ReduceOp
from sluice.strategies.reductions import ReductionToOneDevice as ReductionToOneDevice
from sluice.strategies.refused import TPUStrategy as TPUStrategy
from sluice.strategies.replicas import ReplicaContext as ReplicaContext
from sluice.strategies.strategy import Strategy as Strategy
from sluice.strategies.values import DistributedValues as DistributedValues


