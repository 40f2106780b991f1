# SPDX-License-Identifier: Apache-2.0
"""Names of horovod.tensorflow that sluice.hvd does not have, and what to use instead."""

_ADASUM = "use op=Average, and scaled_learning_rate() for large batches"
_ELASTIC = (
    "the number of ranks is fixed: save checkpoints, and start the program again with another"
    " `sluice run -np N`"
)
_LOCAL = "leave the local variables out of the DistributedOptimizer"

_REASONS = {
    "Adasum": _ADASUM,
    "DistributedAdasumOptimizer": _ADASUM,
    "join": "all ranks must make the same number of steps: repeat or drop batches on ranks that"
            " have fewer, or use a process set",
    "elastic": _ELASTIC,
    "TensorFlowState": _ELASTIC,
    "TensorFlowKerasState": _ELASTIC,
    "PartialDistributedGradientTape": _LOCAL,
    "PartialDistributedOptimizer": _LOCAL,
    "broadcast_": "use broadcast_variables()",
    "start_timeline": "use RunOptions(trace_level=FULL_TRACE): the servers trace each step",
    "stop_timeline": "use RunOptions(trace_level=FULL_TRACE): the servers trace each step",
    "run": "use `sluice run`",
}  # fmt: skip


def explain(name):
    """Raises the AttributeError of a name that is not there."""
    if name in _REASONS:
        raise AttributeError(f"sluice.hvd has no {name}: {_REASONS[name]}")
    raise AttributeError(f"sluice.hvd has no {name}")
