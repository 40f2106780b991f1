# SPDX-License-Identifier: Apache-2.0
"""Training on several ranks without parameter servers, with the names of horovod.tensorflow.

    import sluice as sl
    import sluice.hvd as hvd
    hvd.init()
    optimizer = hvd.DistributedOptimizer(sl.train.AdamOptimizer(0.001 * hvd.size()))
    ...
    hooks = [hvd.BroadcastGlobalVariablesHook(0)]
    with sl.train.MonitoredTrainingSession(hvd.target(), config=hvd.config(), hooks=hooks) as s:
        ...

`sluice run -np 4 python train.py` starts it. With TensorFlow's client, 1.15 or 2.x in graph mode,
a program begins with `import sluice.hvd` and `hvd = sluice.hvd.over(tensorflow)`.
"""

from .horovod import callbacks
from .horovod import gradients as _gradients  # noqa: F401, it enters them
from .horovod.built import (
    ccl_built,
    cuda_built,
    ddl_built,
    gloo_built,
    gloo_enabled,
    mpi_built,
    mpi_enabled,
    mpi_threads_supported,
    nccl_built,
    rocm_built,
)
from .horovod.clients import over
from .horovod.compression import Compression
from .horovod.gathers import allgather, alltoall, broadcast, grouped_allgather
from .horovod.optimizer import DistributedGradientTape, DistributedOptimizer, load_model
from .horovod.place_ops import (
    local_rank_op,
    local_size_op,
    process_set_included_op,
    rank_op,
    size_op,
)
from .horovod.places import (
    cross_rank,
    cross_size,
    init,
    is_homogeneous,
    is_initialized,
    local_rank,
    local_size,
    rank,
    shutdown,
    size,
)
from .horovod.process_sets import (
    ProcessSet,
    add_process_set,
    global_process_set,
    remove_process_set,
)
from .horovod.reductions import (
    Average,
    Max,
    Min,
    Product,
    Sum,
    allreduce,
    grouped_allreduce,
    grouped_reducescatter,
    reducescatter,
)
from .horovod.refused import explain as _explain
from .horovod.rendezvous import RendezvousError
from .horovod.schedule import scaled_learning_rate
from .horovod.sync_norm import SyncBatchNormalization
from .horovod.variables import (
    BroadcastGlobalVariablesHook,
    allgather_object,
    broadcast_global_variables,
    broadcast_object,
    broadcast_object_fn,
    broadcast_variables,
    config,
    target,
)

__all__ = [
    "Average", "BroadcastGlobalVariablesHook", "Compression", "DistributedGradientTape",
    "DistributedOptimizer", "Max", "Min", "ProcessSet", "Product", "RendezvousError", "Sum",
    "SyncBatchNormalization", "add_process_set", "allgather", "allgather_object", "allreduce",
    "alltoall", "broadcast", "broadcast_global_variables", "broadcast_object",
    "broadcast_object_fn", "broadcast_variables", "callbacks", "ccl_built", "config", "cross_rank",
    "cross_size", "cuda_built", "ddl_built", "global_process_set", "gloo_built", "gloo_enabled",
    "grouped_allgather", "grouped_allreduce", "grouped_reducescatter", "init", "is_homogeneous",
    "is_initialized", "load_model", "local_rank", "local_rank_op", "local_size", "local_size_op",
    "mpi_built", "mpi_enabled", "mpi_threads_supported", "nccl_built", "over",
    "process_set_included_op", "rank", "rank_op", "reducescatter", "remove_process_set",
    "rocm_built", "scaled_learning_rate", "shutdown", "size", "size_op", "target",
]  # fmt: skip


def __getattr__(name):
    _explain(name)


def __dir__():
    return list(__all__)
