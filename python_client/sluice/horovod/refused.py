# SPDX-License-Identifier: Apache-2.0
"""Names of horovod.tensorflow that sluice.hvd does not have, and what to use instead."""

_ADASUM = "use op=Average, and scaled_learning_rate() for large batches"
_ELASTIC = (
    "the number of ranks is fixed: save checkpoints, and start the program again with another"
    " `sluice run -np N`"
)
_EAGER = "sluice.hvd builds graphs: use DistributedOptimizer() in a tf.Graph()"
_BUILT = "there is one transport for all ranks, which the servers choose"

_REASONS = {
    "Adasum": _ADASUM,
    "DistributedAdasumOptimizer": _ADASUM,
    "join": "all ranks must make the same number of steps: repeat or drop batches on ranks that"
            " have fewer, or use a process set",
    "elastic": _ELASTIC,
    "TensorFlowState": _ELASTIC,
    "TensorFlowKerasState": _ELASTIC,
    "DistributedGradientTape": _EAGER,
    "PartialDistributedGradientTape": _EAGER,
    "PartialDistributedOptimizer": "leave the local variables out of the DistributedOptimizer",
    "SyncBatchNormalization": "allreduce() the moments: it has a gradient",
    "broadcast_": "use broadcast_variables()",
    "start_timeline": "use RunOptions(trace_level=FULL_TRACE): the servers trace each step",
    "stop_timeline": "use RunOptions(trace_level=FULL_TRACE): the servers trace each step",
    "run": "use `sluice run`",
    "mpi_threads_supported": _BUILT, "mpi_enabled": _BUILT, "mpi_built": _BUILT,
    "gloo_enabled": _BUILT, "gloo_built": _BUILT, "nccl_built": _BUILT, "ddl_built": _BUILT,
    "ccl_built": _BUILT, "cuda_built": _BUILT, "rocm_built": _BUILT,
}  # fmt: skip


def explain(name):
    """Raises the AttributeError of a name that is not there."""
    if name in _REASONS:
        raise AttributeError(f"sluice.hvd has no {name}: {_REASONS[name]}")
    raise AttributeError(f"sluice.hvd has no {name}")
