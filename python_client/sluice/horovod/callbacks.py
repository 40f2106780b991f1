# SPDX-License-Identifier: Apache-2.0
"""Callbacks of Keras for training on several ranks, with the names of horovod.keras.callbacks.

They are for models whose optimizer is hvd.DistributedOptimizer(), in the session that
keras.backend.set_session(Session(hvd.target(), config=hvd.config())) sets.
"""

import functools
import types

import numpy as np

from . import clients, places, variables


def BroadcastGlobalVariablesCallback(root_rank, device=""):  # noqa: N802, a class there
    """Makes a callback that gives the variables of all ranks the values of one, at the beginning.

    If the ranks have different variables then, because only one of them has loaded a model, it does
    so after the first batch.

    Args:
        root_rank: The rank that has the values, an int.
        device: Device of the operations, a str.

    Returns:
        A Callback of the client's Keras.
    """
    return _classes(_keras().callbacks.Callback).broadcast(root_rank, device)


def MetricAverageCallback(device=""):  # noqa: N802, a class there
    """Makes a callback that averages the metrics of each epoch over all ranks. It comes before the
    callbacks that use metrics.

    Args:
        device: Accepted. It has no effect.

    Returns:
        A Callback of the client's Keras.
    """
    del device
    return _classes(_keras().callbacks.Callback).average()


def LearningRateScheduleCallback(initial_lr=None, multiplier=1.0, start_epoch=0,  # noqa: N802
                                 end_epoch=None, staircase=True, momentum_correction=True,
                                 steps_per_epoch=None):  # fmt: skip
    """Makes a callback that sets the learning rate to initial_lr * multiplier(epoch).

    Args:
        initial_lr: The learning rate, a float. None: that of the optimizer, when fit() begins.
        multiplier: A function of the epoch, or a float.
        start_epoch: The first epoch that it sets, an int.
        end_epoch: The first epoch that it does not set any more, an int. None: it sets all.
        staircase: Whether it sets the rate once for each epoch. A bool. False: for each batch, with
            a fraction of an epoch.
        momentum_correction: Whether the momentum is scaled by the change of the rate for the batch
            at which it changes (Goyal et al. 2017, section 3). A bool.
        steps_per_epoch: How many batches an epoch has, an int. None: as fit() says.

    Returns:
        A Callback of the client's Keras.
    """
    return _classes(_keras().callbacks.Callback).schedule(
        initial_lr, multiplier, start_epoch, end_epoch, staircase, momentum_correction,
        steps_per_epoch,
    )  # fmt: skip


def LearningRateWarmupCallback(initial_lr=None, warmup_epochs=5,  # noqa: N802
                               momentum_correction=True, steps_per_epoch=None,
                               verbose=0):  # fmt: skip
    """Makes a callback that raises the learning rate from initial_lr / size() to initial_lr in the
    first epochs (Goyal et al. 2017, "Accurate, Large Minibatch SGD", section 2.2).

    Args:
        initial_lr: The rate after the warm-up, a float: that of one rank times size(). None: that
            of the optimizer, when fit() begins.
        warmup_epochs: How many epochs it takes, an int.
        momentum_correction: As of LearningRateScheduleCallback().
        steps_per_epoch: How many batches an epoch has, an int. None: as fit() says.
        verbose: Whether rank 0 says when it ends. An int.

    Returns:
        A Callback of the client's Keras.
    """
    return _classes(_keras().callbacks.Callback).warmup(
        initial_lr, warmup_epochs, momentum_correction, steps_per_epoch, verbose
    )


def warmup_multiplier(epoch, warmup_epochs, size):
    """The part of the learning rate for all ranks that a warm-up has reached.

    Args:
        epoch: How many epochs are done, a float.
        warmup_epochs: How many epochs it takes.
        size: The number of ranks.

    Returns:
        A float, from 1 / size to 1.
    """
    return 1.0 / size * (epoch * (size - 1) / warmup_epochs + 1.0)


def _differing(names):
    """Those names that not all ranks have, a sorted list."""
    every = [set(own) for own in variables.allgather_object(names)]
    return sorted(set.union(*every) - set.intersection(*every))


def _keras():
    return clients.v1().keras


@functools.lru_cache(None)
def _classes(base):
    """The classes, derived from the Callback of a client."""

    class BroadcastCallback(base):
        def __init__(self, root_rank, device):
            super().__init__()
            self._root_rank, self._device, self._done = root_rank, device, False

        def on_train_begin(self, logs=None):
            self._broadcast(first_batch_ran=False)

        def on_batch_end(self, batch, logs=None):
            self._broadcast(first_batch_ran=True)

        def _broadcast(self, first_batch_ran):
            """Broadcasts once, as soon as all ranks have the same variables."""
            if self._done:
                return
            tf, session = clients.v1(), _keras().backend.get_session()
            with session.graph.as_default(), tf.device(self._device or None):
                differ = _differing([v.op.name for v in tf.global_variables()])
                if differ and not first_batch_ran:
                    return  # those of an optimizer that was not loaded come with the first batch
                if differ:
                    raise ValueError(f"not all ranks have the variables {', '.join(differ)}")
                session.run(variables.broadcast_global_variables(self._root_rank))
            self._done = True

    class AverageCallback(base):
        def on_epoch_end(self, epoch, logs=None):
            if not logs or places.size() == 1:
                return
            own = {name: float(value) for name, value in sorted(logs.items())}
            every = variables.allgather_object(own)
            logs.update((name, float(np.mean([of[name] for of in every]))) for name in own)

    class ScheduleCallback(base):
        def __init__(self, initial_lr, multiplier, start_epoch, end_epoch, staircase,
                     momentum_correction, steps_per_epoch):  # fmt: skip
            super().__init__()
            if initial_lr is not None and not isinstance(initial_lr, (int, float, np.number)):
                raise ValueError(f"initial_lr must be a number, not {initial_lr!r}")
            self.initial_lr, self.staircase = initial_lr, staircase
            self.start_epoch, self.end_epoch = start_epoch, end_epoch
            self.momentum_correction, self.steps_per_epoch = momentum_correction, steps_per_epoch
            self.multiplier = multiplier if callable(multiplier) else lambda epoch: multiplier
            self._epoch, self._momentum = None, None

        def on_train_begin(self, logs=None):
            if self.initial_lr is None:
                self.initial_lr = float(_keras().backend.get_value(self.model.optimizer.lr))
            if self.staircase or self.steps_per_epoch:
                return
            params = self.params or {}
            steps, samples = params.get("steps"), params.get("samples")
            if not steps and samples and params.get("batch_size"):
                steps = -(-samples // params["batch_size"])
            if not steps:
                raise ValueError("steps_per_epoch must be given: fit() does not say it")
            self.steps_per_epoch = steps

        def on_epoch_begin(self, epoch, logs=None):
            self._epoch = epoch

        def on_batch_begin(self, batch, logs=None):
            if self._epoch < self.start_epoch or (
                self.end_epoch is not None and self._epoch >= self.end_epoch
            ):
                return
            if not self.staircase:
                self._set(self._epoch + float(batch) / self.steps_per_epoch)
            elif batch == 0:
                self._set(self._epoch)

        def _set(self, epoch):
            backend, optimizer = _keras().backend, self.model.optimizer
            old = backend.get_value(optimizer.lr)
            new = self.initial_lr * self.multiplier(epoch)
            backend.set_value(optimizer.lr, new)
            momentum = getattr(optimizer, "momentum", None)
            if self.momentum_correction and hasattr(momentum, "graph"):
                self._momentum = backend.get_value(momentum)
                backend.set_value(momentum, self._momentum * new / old)

        def on_batch_end(self, batch, logs=None):
            if self._momentum is not None:
                _keras().backend.set_value(self.model.optimizer.momentum, self._momentum)
                self._momentum = None

        def on_epoch_end(self, epoch, logs=None):
            if logs is not None:
                logs["lr"] = _keras().backend.get_value(self.model.optimizer.lr)

    class WarmupCallback(ScheduleCallback):
        def __init__(self, initial_lr, warmup_epochs, momentum_correction, steps_per_epoch,
                     verbose):  # fmt: skip
            def multiplier(epoch):
                done = epoch + 1.0 / self.steps_per_epoch  # the rate is reached at the end
                return warmup_multiplier(done, warmup_epochs, places.size())

            super().__init__(
                initial_lr, multiplier, 0, warmup_epochs, False, momentum_correction,
                steps_per_epoch,
            )  # fmt: skip
            self.verbose = verbose

        def on_epoch_end(self, epoch, logs=None):
            super().on_epoch_end(epoch, logs)
            if epoch == self.end_epoch - 1 and self.verbose > 0 and places.rank() == 0:
                rate = _keras().backend.get_value(self.model.optimizer.lr)
                print(f"\nEpoch {epoch + 1}: finished gradual learning rate warmup to {rate:g}.")

    return types.SimpleNamespace(
        broadcast=BroadcastCallback, average=AverageCallback, schedule=ScheduleCallback,
        warmup=WarmupCallback,
    )  # fmt: skip


__all__ = [
    "BroadcastGlobalVariablesCallback", "LearningRateScheduleCallback",
    "LearningRateWarmupCallback", "MetricAverageCallback",
]  # fmt: skip


def __dir__():
    return list(__all__)
