# SPDX-License-Identifier: Apache-2.0
"""Distribution strategies: replicas of a computation on several devices and tasks.

import sluice as sl
strategy = sl.distribute.MirroredStrategy(["/cpu:0", "/cpu:1"])
with strategy.scope():
    losses = strategy.run(step, args=(iterator.get_next(),))
    loss = strategy.reduce(sl.distribute.ReduceOp.SUM, losses, axis=None)
"""

from .. import modules
from ..session.cluster import Server
from ..strategies import losses  # noqa: F401, public.py gives nn two of its names
from ..strategies import multi_worker as _multi_worker
from ..strategies import refused as _refused
from ..strategies import resolvers as _resolvers
from ..strategies import schedulers as _schedulers
from ..strategies.contexts import (
    experimental_set_strategy,
    get_replica_context,
    get_strategy,
    has_strategy,
    in_cross_replica_context,
)
from ..strategies.extended import StrategyExtended
from ..strategies.inputs import (
    DistributedDataset,
    DistributedIterator,
    InputContext,
    InputReplicationMode,
)
from ..strategies.losses import get_loss_reduction
from ..strategies.mirrored import MirroredStrategy, OneDeviceStrategy
from ..strategies.multi_worker import MultiWorkerMirroredStrategy
from ..strategies.parameter_server import CentralStorageStrategy as _CentralStorageStrategy
from ..strategies.parameter_server import ParameterServerStrategy
from ..strategies.reductions import (
    CrossDeviceOps,
    HierarchicalCopyAllReduce,
    NcclAllReduce,
    ReduceOp,
    ReductionToOneDevice,
)
from ..strategies.replicas import ReplicaContext
from ..strategies.strategy import Strategy
from ..strategies.values import DistributedValues

TPUStrategy = _refused.TPUStrategy
experimental = modules.make("distribute.experimental", "Strategies under the names of 1.15.", {
    "CentralStorageStrategy": _CentralStorageStrategy,
    "CollectiveCommunication": _multi_worker.CollectiveCommunication,
    "CommunicationImplementation": _multi_worker.CollectiveCommunication,
    "CommunicationOptions": _multi_worker.CommunicationOptions,
    "MultiWorkerMirroredStrategy": MultiWorkerMirroredStrategy,
    "ParameterServerStrategy": ParameterServerStrategy,
    "TPUStrategy": TPUStrategy,
})  # fmt: skip
cluster_resolver = modules.make("distribute.cluster_resolver", "Which tasks a cluster has.", {
    "ClusterResolver": _resolvers.ClusterResolver,
    "GCEClusterResolver": _refused.GCEClusterResolver,
    "KubernetesClusterResolver": _schedulers.KubernetesClusterResolver,
    "SimpleClusterResolver": _resolvers.SimpleClusterResolver,
    "SlurmClusterResolver": _schedulers.SlurmClusterResolver,
    "TFConfigClusterResolver": _resolvers.TFConfigClusterResolver,
    "TPUClusterResolver": _refused.TPUClusterResolver,
    "UnionResolver": _resolvers.UnionResolver,
})  # fmt: skip
MODULES = experimental, cluster_resolver

__all__ = [
    "CrossDeviceOps", "DistributedDataset", "DistributedIterator", "DistributedValues",
    "HierarchicalCopyAllReduce", "InputContext", "InputReplicationMode", "MirroredStrategy",
    "MultiWorkerMirroredStrategy", "NcclAllReduce", "OneDeviceStrategy",
    "ParameterServerStrategy", "ReduceOp", "ReductionToOneDevice", "ReplicaContext",
    "Server", "Strategy", "StrategyExtended", "TPUStrategy", "cluster_resolver",
    "experimental", "experimental_set_strategy", "get_loss_reduction",
    "get_replica_context", "get_strategy", "has_strategy", "in_cross_replica_context",
]  # fmt: skip
