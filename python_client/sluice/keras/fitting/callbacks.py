# SPDX-License-Identifier: Apache-2.0
"""Callbacks: what happens between the batches and epochs of fit(), evaluate() and predict()."""

import collections
import csv
import os

import numpy as np

from ... import logging
from ..base import values
from .progress import Progbar


class Callback:
    """Does something between batches and epochs. Derived classes define the methods they use.

    Its attributes are `model`, and `params`: a dict of the arguments of fit().
    """

    def __init__(self):
        self.model = self.params = self.validation_data = None

    def set_params(self, params):
        """Keeps the arguments of fit().

        Args:
            params: A dict of them.
        """
        self.params = params

    def set_model(self, model):
        """Keeps the model.

        Args:
            model: The model.
        """
        self.model = model

    def on_train_batch_begin(self, batch, logs=None):
        """Calls on_batch_begin().

        Args:
            batch: Number of the batch in the epoch, an int.
            logs: What is known, a dict.
        """
        self.on_batch_begin(batch, logs=logs)

    def on_train_batch_end(self, batch, logs=None):
        """Calls on_batch_end().

        Args:
            batch: Number of the batch in the epoch, an int.
            logs: What is known, a dict.
        """
        self.on_batch_end(batch, logs=logs)


_EVENTS = {
    "epoch_begin": "Called before an epoch.", "epoch_end": "Called after an epoch.",
    "batch_begin": "Called before a batch of training.",
    "batch_end": "Called after a batch of training.",
    "test_batch_begin": "Called before a batch of evaluate().",
    "test_batch_end": "Called after a batch of evaluate().",
    "predict_batch_begin": "Called before a batch of predict().",
    "predict_batch_end": "Called after a batch of predict().",
    "train_begin": "Called before training.", "train_end": "Called after training.",
    "test_begin": "Called before evaluate().", "test_end": "Called after evaluate().",
    "predict_begin": "Called before predict().", "predict_end": "Called after predict().",
}  # fmt: skip


def _event(name, summary):
    counted = next((what for what in ("epoch", "batch") if what in name), None)
    logs = "        logs: What is known, a dict.\n    "
    if counted is None:

        def event(self, logs=None):
            del self, logs

        event.__doc__ = f"{summary} It does nothing.\n\n    Args:\n{logs}"
    else:
        lines = f"        {counted}: Its number, an int.\n{logs}"
        if counted == "epoch":

            def event(self, epoch, logs=None):
                del self, epoch, logs
        else:

            def event(self, batch, logs=None):
                del self, batch, logs

        event.__doc__ = f"{summary} It does nothing.\n\n    Args:\n{lines}"
    event.__name__ = f"on_{name}"
    event.__qualname__ = f"Callback.on_{name}"
    setattr(Callback, event.__name__, event)


for _name, _summary in _EVENTS.items():
    _event(_name, _summary)


class Callbacks:
    """Several callbacks, which are called one after another.

    Args:
        callbacks: The callbacks, a list.
    """

    def __init__(self, callbacks):
        self.callbacks = list(callbacks)

    def _call(self, name, *args):
        for callback in self.callbacks:
            getattr(callback, name)(*args)

    def on_batch_begin(self, mode, batch, logs):
        """Before a batch; mode: "train", "test" or "predict"."""
        self._call(f"on_{mode}_batch_begin", batch, logs)

    def on_batch_end(self, mode, batch, logs):
        """After a batch; mode: "train", "test" or "predict"."""
        self._call(f"on_{mode}_batch_end", batch, logs)

    def on_epoch_begin(self, epoch):
        """Before an epoch."""
        self._call("on_epoch_begin", epoch, {})

    def on_epoch_end(self, epoch, logs):
        """After an epoch."""
        self._call("on_epoch_end", epoch, logs)

    def __getattr__(self, name):
        if not name.startswith("on_"):
            raise AttributeError(name)
        return lambda: self._call(name, None)


def configured(model, callbacks, params):
    """The Callbacks of a loop, which have been given the model and the loop's parameters."""
    for callback in callbacks:
        callback.set_model(model)
    for callback in callbacks:
        callback.set_params(params)
    return Callbacks(callbacks)


def of_training(model, callbacks, params, count_mode):
    """The Callbacks of fit(): those of the program, and those that are always there."""
    model.history = History()
    made = [BaseLogger()] + (callbacks or []) + [model.history]
    if params["verbose"]:
        made.append(ProgbarLogger(count_mode))
    return configured(model, made, params)


class BaseLogger(Callback):
    """Does nothing: the loops average losses themselves.

    Args:
        stateful_metrics: Accepted. It has no effect.
    """

    def __init__(self, stateful_metrics=None):
        super().__init__()
        self.stateful_metrics = set(stateful_metrics or ())


class TerminateOnNaN(Callback):
    """Ends training when the loss is not a number."""

    def on_batch_end(self, batch, logs=None):
        loss = (logs or {}).get("loss")
        if loss is not None and not np.isfinite(loss):
            print(f"Batch {batch}: Invalid loss, terminating training")
            self.model.stop_training = True


class ProgbarLogger(Callback):
    """Prints how far an epoch is, and its losses and metrics.

    Args:
        count_mode: What is counted: "samples" or "steps".
        stateful_metrics: Accepted. Metrics are never averaged.
    """

    def __init__(self, count_mode="samples", stateful_metrics=None):
        super().__init__()
        if count_mode not in ("samples", "steps"):
            raise ValueError(f"Unknown `count_mode`: {count_mode}")
        self.use_steps, self.stateful_metrics = count_mode == "steps", stateful_metrics
        self.epochs, self.seen, self.bar, self._last = 1, 0, None, []

    def on_train_begin(self, logs=None):
        self.epochs = self.params["epochs"]

    def on_epoch_begin(self, epoch, logs=None):
        self.seen = 0
        target = self.params["steps" if self.use_steps else "samples"]
        if self.params["verbose"] and self.epochs > 1:
            print(f"Epoch {epoch + 1}/{self.epochs}")
        names = [n for n in self.params["metrics"] if n != "loss"]
        unit = "step" if self.use_steps else "sample"
        self.bar = Progbar(target, verbose=self.params["verbose"], stateful_metrics=names,
                           unit_name=unit)  # fmt: skip

    def _shown(self, logs):
        return [(name, logs[name]) for name in self.params["metrics"] if name in logs]

    def on_batch_end(self, batch, logs=None):
        size = 1 if self.use_steps else (logs or {}).get("size", 0)
        self.seen += size
        self._last = self._shown(logs or {})
        if self.params["verbose"] and (self.bar.target is None or self.seen < self.bar.target):
            self.bar.update(self.seen, self._last)

    def on_epoch_end(self, epoch, logs=None):
        if self.params["verbose"]:
            if self.bar.target is None:
                self.bar.target = self.seen
            # With the last batch, the mean of the losses is that of the epoch.
            self.bar.update(self.seen, self._last + self._shown(logs or {}))


class History(Callback):
    """Keeps what the epochs gave: `history` is a dict name -> list of values, `epoch` a list."""

    def on_train_begin(self, logs=None):
        self.epoch, self.history = [], {}

    def on_epoch_end(self, epoch, logs=None):
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)


def known_mode(mode, what):
    """Returns "min", "max" or "auto": an unknown mode is "auto", and a warning is logged.

    Args:
        mode: What a program gave, a str.
        what: Whose mode it is, a str.
    """
    if mode in ("auto", "min", "max"):
        return mode
    logging.warning("%s mode %s is unknown, fallback to auto mode.", what, mode)
    return "auto"


def better(mode, monitor):
    """(a function that compares two values, the worst value)."""
    larger = (
        mode == "max" or mode == "auto" and ("acc" in monitor or monitor.startswith("fmeasure"))
    )
    return (np.greater, -np.inf) if larger else (np.less, np.inf)


def _warn_missing(what, monitor, logs):
    """Says that the value that a callback follows is not there."""
    logging.warning(
        "%s conditioned on metric `%s` which is not available. Available metrics are: %s", what,
        monitor, ",".join(logs or {}),
    )  # fmt: skip


class EarlyStopping(Callback):
    """Ends training when a value no longer gets better.

    Args:
        monitor: Name of the value, a str.
        min_delta: How much better it must get, a float.
        patience: How many epochs it may fail to, an int.
        verbose: 1: it says what it does.
        mode: "min", "max" or "auto": which values are better.
        baseline: The value that the first epochs must reach, a float. None: none.
        restore_best_weights: Whether the variables of the best epoch are restored. A bool.
    """

    def __init__(self, monitor="val_loss", min_delta=0, patience=0, verbose=0, mode="auto",
                 baseline=None, restore_best_weights=False):  # fmt: skip
        super().__init__()
        self.monitor, self.patience, self.verbose = monitor, patience, verbose
        self.baseline, self.restore_best_weights = baseline, restore_best_weights
        mode = known_mode(mode, "EarlyStopping")
        larger = mode == "max" or mode == "auto" and "acc" in monitor
        self.monitor_op = np.greater if larger else np.less
        self.min_delta = abs(min_delta) if larger else -abs(min_delta)
        self.wait = self.stopped_epoch = 0
        self.best_weights = None

    def on_train_begin(self, logs=None):
        self.wait = self.stopped_epoch = 0
        worst = np.inf if self.monitor_op == np.less else -np.inf
        self.best = worst if self.baseline is None else self.baseline

    def get_monitor_value(self, logs):
        """Returns the value of an epoch.

        Args:
            logs: What is known, a dict.

        Returns:
            A number; None if it is not there.
        """
        value = (logs or {}).get(self.monitor)
        if value is None:
            _warn_missing("Early stopping", self.monitor, logs)
        return value

    def on_epoch_end(self, epoch, logs=None):
        current = self.get_monitor_value(logs)
        if current is None:
            return
        if self.monitor_op(current - self.min_delta, self.best):
            self.best, self.wait = current, 0
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            return
        self.wait += 1
        if self.wait >= self.patience:
            self.stopped_epoch = epoch
            self.model.stop_training = True
            if self.restore_best_weights:
                if self.verbose > 0:
                    print("Restoring model weights from the end of the best epoch.")
                self.model.set_weights(self.best_weights)

    def on_train_end(self, logs=None):
        if self.stopped_epoch > 0 and self.verbose > 0:
            print(f"Epoch {self.stopped_epoch + 1:05d}: early stopping")


class LearningRateScheduler(Callback):
    """Sets the learning rate before each epoch.

    Args:
        schedule: A function of the epoch, and if it takes two arguments of the learning rate so
            far, that returns the learning rate.
        verbose: 1: it says what it does.
    """

    def __init__(self, schedule, verbose=0):
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch, logs=None):
        if not hasattr(self.model.optimizer, "lr"):
            raise ValueError('Optimizer must have a "lr" attribute.')
        rate = float(values.get_value(self.model.optimizer.lr))
        try:
            rate = self.schedule(epoch, rate)
        except TypeError:
            rate = self.schedule(epoch)
        if not isinstance(rate, (float, np.float32, np.float64)):
            raise ValueError('The output of the "schedule" function should be float.')
        values.set_value(self.model.optimizer.lr, rate)
        if self.verbose:
            print(
                f"\nEpoch {epoch + 1:05d}: LearningRateScheduler reducing learning rate to {rate}."
            )

    def on_epoch_end(self, epoch, logs=None):
        logs["lr"] = values.get_value(self.model.optimizer.lr)


class ReduceLROnPlateau(Callback):
    """Makes the learning rate smaller when a value no longer gets better.

    Args:
        monitor: Name of the value, a str.
        factor: What the learning rate is multiplied by, a float below 1.
        patience: How many epochs the value may fail to get better, an int.
        verbose: 1: it says what it does.
        mode: "min", "max" or "auto": which values are better.
        min_delta: How much better it must get, a float.
        cooldown: How many epochs do not count after a change, an int.
        min_lr: The smallest learning rate, a float.
        **kwargs: epsilon: older name of min_delta.
    """

    def __init__(self, monitor="val_loss", factor=0.1, patience=10, verbose=0, mode="auto",
                 min_delta=1e-4, cooldown=0, min_lr=0, **kwargs):  # fmt: skip
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        self.monitor, self.factor, self.patience = monitor, factor, patience
        self.verbose, self.cooldown, self.min_lr = verbose, cooldown, min_lr
        if "epsilon" in kwargs:
            logging.warning(
                "`epsilon` argument is deprecated and will be removed, use `min_delta` instead."
            )
        self.min_delta = kwargs.get("epsilon", min_delta)
        self.mode = known_mode(mode, "Learning Rate Plateau Reducing")
        self._reset()

    def _reset(self):
        larger = self.mode == "max" or self.mode == "auto" and "acc" in self.monitor
        self.monitor_op = self._is_larger if larger else self._is_smaller
        self.best = -np.inf if larger else np.inf
        self.cooldown_counter = self.wait = 0

    def _is_larger(self, value, best):
        return np.greater(value, best + self.min_delta)

    def _is_smaller(self, value, best):
        return np.less(value, best - self.min_delta)

    def in_cooldown(self):
        """Tests whether epochs do not count, after a change.

        Returns:
            A bool.
        """
        return self.cooldown_counter > 0

    def on_train_begin(self, logs=None):
        self._reset()

    def on_epoch_end(self, epoch, logs=None):
        logs = {} if logs is None else logs
        rate = logs["lr"] = values.get_value(self.model.optimizer.lr)
        current = logs.get(self.monitor)
        if current is None:
            _warn_missing("Reduce LR on plateau", self.monitor, logs)
            return
        if self.in_cooldown():
            self.cooldown_counter, self.wait = self.cooldown_counter - 1, 0
        if self.monitor_op(current, self.best):
            self.best, self.wait = current, 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience and float(rate) > self.min_lr:
                new = max(float(rate) * self.factor, self.min_lr)
                values.set_value(self.model.optimizer.lr, new)
                if self.verbose:
                    print(f"\nEpoch {epoch + 1:05d}: ReduceLROnPlateau reducing learning rate to "
                          f"{new}.")  # fmt: skip
                self.cooldown_counter, self.wait = self.cooldown, 0


def _cell(value):
    """A value as a cell of a table: several in brackets."""
    if isinstance(value, str) or not np.ndim(value):
        return value
    return f'"[{", ".join(map(str, value))}]"'


class CSVLogger(Callback):
    """Writes what the epochs give to a file of comma-separated values.

    Args:
        filename: Path of the file, a str.
        separator: What stands between values, a str.
        append: Whether a file that exists is continued. A bool.
    """

    def __init__(self, filename, separator=",", append=False):
        super().__init__()
        self.filename, self.sep, self.append = filename, separator, append
        self.writer = self.keys = self.csv_file = None

    def on_train_begin(self, logs=None):
        has_header = self.append and os.path.exists(self.filename) and (
            os.path.getsize(self.filename) > 0
        )  # fmt: skip
        self.append_header = not has_header
        self.csv_file = open(self.filename, "a" if self.append else "w", newline="")
        self.writer = None

    def on_epoch_end(self, epoch, logs=None):
        logs = logs or {}
        if self.keys is None:
            self.keys = sorted(logs)
        if self.writer is None:
            self.writer = csv.DictWriter(self.csv_file, ["epoch", *self.keys], delimiter=self.sep)
            if self.append_header:
                self.writer.writeheader()
        row = collections.OrderedDict({"epoch": epoch})
        row.update((key, _cell(logs.get(key, "NA"))) for key in self.keys)
        self.writer.writerow(row)
        self.csv_file.flush()

    def on_train_end(self, logs=None):
        self.csv_file.close()
        self.writer = None


class LambdaCallback(Callback):
    """Calls functions of the program.

    Args:
        on_epoch_begin: A function of (epoch, logs). None: none.
        on_epoch_end: A function of (epoch, logs). None: none.
        on_batch_begin: A function of (batch, logs). None: none.
        on_batch_end: A function of (batch, logs). None: none.
        on_train_begin: A function of logs. None: none.
        on_train_end: A function of logs. None: none.
        **kwargs: Functions of other events.
    """

    def __init__(self, on_epoch_begin=None, on_epoch_end=None, on_batch_begin=None,
                 on_batch_end=None, on_train_begin=None, on_train_end=None, **kwargs):  # fmt: skip
        super().__init__()
        given = {
            "on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end,
            "on_batch_begin": on_batch_begin, "on_batch_end": on_batch_end,
            "on_train_begin": on_train_begin, "on_train_end": on_train_end, **kwargs,
        }  # fmt: skip
        vars(self).update((name, f) for name, f in given.items() if f is not None)


__all__ = """
    BaseLogger CSVLogger Callback EarlyStopping History LambdaCallback LearningRateScheduler
    ProgbarLogger ReduceLROnPlateau TerminateOnNaN
""".split()
