# SPDX-License-Identifier: Apache-2.0
"""The loops of fit(), evaluate() and predict() over batches."""

import collections.abc

import numpy as np

from ..base.ragged_rows import joined
from ..fitting import callbacks as calls
from . import checks


class Totals:
    """Adds up what the batches of an epoch give: losses are averaged, metrics are not."""

    def __init__(self, by_steps, steps=None):
        """`steps`: how many batches there should be; what lacks counts as 0."""
        self._by_steps, self._loss, self._count, self._last = by_steps, 0.0, 0, None
        self._steps = steps

    def add(self, values, size):
        """Adds the values of a batch: the loss first, then metrics."""
        weight = 1 if self._by_steps else size
        self._loss += np.float64(values[0]) * weight
        self._count += weight
        self._last = values

    def values(self):
        """The values of the epoch, a list."""
        if self._last is None:
            raise ValueError("Empty training data.")
        return [self._loss / (self._steps or self._count), *self._last[1:]]


def fit(model, source, plan):
    """Trains a model.

    Args:
        model: The model, compiled.
        source: The batches of training.
        plan: The arguments of fit() that say how: epochs, initial_epoch, verbose, callbacks,
            validation, validation_freq.

    Returns:
        A History.
    """
    model.train_function()
    names = list(model.metrics_names)
    shown = names + ["val_" + n for n in names] if plan.validation is not None else names
    if plan.verbose and not source.sized:
        print(f"Train on {_extent(source)}{_also_validated(plan.validation)}")
    params = _parameters(source, shown, plan.verbose, plan.epochs, plan.validation is not None)
    mode = "steps" if source.by_steps else "samples"
    callbacks = calls.of_training(model, plan.callbacks, params, mode)
    model.stop_training = False
    callbacks.on_train_begin()
    logs = None
    for epoch in range(plan.initial_epoch, plan.epochs):
        if model.stop_training:
            break
        model.reset_metrics()
        callbacks.on_epoch_begin(epoch)
        logs = _epoch(
            model, source, model.train_function, names, callbacks, "train", before=logs,
            expected=("steps_per_epoch", plan.epochs),
        )  # fmt: skip
        validates = plan.validation is not None and _validates(plan.validation_freq, epoch + 1)
        if validates and not model.stop_training:
            model.reset_metrics()
            found = evaluate(model, plan.validation, callbacks)
            logs.update(zip(("val_" + n for n in names), found))
        callbacks.on_epoch_end(epoch, logs)
    callbacks.on_train_end()
    return model.history


def _parameters(source, names, verbose, epochs=1, do_validation=False):
    """What the callbacks of a loop know of it, a dict."""
    return {
        "batch_size": source.batch_size, "epochs": epochs, "steps": source.steps,
        "samples": source.steps if source.by_steps else source.samples, "verbose": verbose,
        "do_validation": do_validation, "metrics": names,
    }  # fmt: skip


def _listening(model, callbacks, params):
    """The Callbacks of evaluate() or predict(): those of fit() have been configured before."""
    if isinstance(callbacks, calls.Callbacks):
        return callbacks
    return calls.configured(model, callbacks or (), params)


def _extent(source):
    """How much an epoch has, as text."""
    return f"{source.steps} steps" if source.by_steps else f"{source.samples} samples"


def _also_validated(source):
    known = source is not None and (source.steps if source.by_steps else source.samples)
    return f", validate on {_extent(source)}" if known else ""


def _validates(frequency, epoch):
    """Whether there is validation after an epoch."""
    if isinstance(frequency, int):
        if frequency < 1:
            raise ValueError("`validation_freq` can not be less than 1.")
        return epoch % frequency == 0
    if not isinstance(frequency, collections.abc.Container):
        raise ValueError(
            "`validation_freq` must be an Integer or `collections_abc.Container` (e.g. list, "
            "tuple, etc.)"
        )
    return epoch in frequency


def _bar(source, names, verbose):
    """Shows how far evaluate() or predict() is; None: it is silent."""
    if not verbose:
        return None
    bar = calls.ProgbarLogger("steps" if source.by_steps else "samples")
    bar.set_params(_parameters(source, names, verbose))
    bar.on_epoch_begin(0)
    return bar


def _epoch(model, source, function, names, callbacks, mode, bar=None, before=None,
           expected=("steps", 1)):  # fmt: skip
    # Generators count batches by their size while training, and as steps in evaluate().
    by_size = mode == "train" and source.sized
    totals, number = Totals(source.by_steps and not by_size, mode == "test" and source.steps), -1
    for number, (feeds, size) in enumerate(source.batches(mode == "train")):
        logs = {"batch": number, "size": size}
        callbacks.on_batch_begin(mode, number, logs)
        # The first batch with weights of examples makes other functions.
        values = function()(feeds)
        totals.add(values, size)
        logs.update(zip(names, values))
        callbacks.on_batch_end(mode, number, logs)
        if bar is not None:
            bar.on_batch_end(number, logs)
        if model.stop_training:
            break
    else:
        model.stop_training = source.finished(number + 1, *expected)
    if number < 0 and before is not None:
        # As in TensorFlow 1.15, the loss of the epoch before is divided once more.
        return {**{name: before[name] for name in names}, "loss": before["loss"] / source.steps}
    logs = dict(zip(names, totals.values()))
    if bar is not None:
        bar.on_epoch_end(0, logs)
    return logs


def evaluate(model, source, callbacks=None, verbose=0):
    """Measures a model.

    Args:
        model: The model, compiled.
        source: The batches.
        callbacks: The Callbacks of fit(), or a list of callbacks. None: none.
        verbose: 0: silent, 1: a progress bar, 2: a line at the end.

    Returns:
        A list: the loss, then the metrics.
    """
    model.reset_metrics()
    model.stop_training = False
    names = list(model.metrics_names)
    given, callbacks = callbacks, _listening(model, callbacks, _parameters(source, names, verbose))
    callbacks.on_test_begin()
    bar = _bar(source, names, verbose)
    in_training = isinstance(given, calls.Callbacks)
    logs = _epoch(
        model, source, model.test_function, names, callbacks, "test", bar,
        expected=("validation_steps" if in_training else "steps", 1),
    )  # fmt: skip
    callbacks.on_test_end()
    return [logs[name] for name in names]


def predict(model, source, callbacks=None, verbose=0):
    """Computes the outputs of a model.

    Args:
        model: The model.
        source: The batches.
        callbacks: A list of callbacks. None: none.
        verbose: 0: silent, 1: a progress bar, 2: a line at the end.

    Returns:
        A list with an array for each output.
    """
    callbacks = _listening(model, callbacks, _parameters(source, [], verbose))
    run, parts = model.predict_function(), []
    bar = _bar(source, [], verbose)
    callbacks.on_predict_begin()
    for number, (feeds, size) in enumerate(source.batches(False)):
        logs = {"batch": number, "size": size}
        callbacks.on_batch_begin("predict", number, logs)
        values = run(feeds)
        if not source.by_steps:
            checks.check_predicted(values, size)
        parts.append(values)
        logs["outputs"] = values
        callbacks.on_batch_end("predict", number, logs)
        if bar is not None:
            bar.on_batch_end(number, logs)
    if bar is not None:
        bar.on_epoch_end(0)
    callbacks.on_predict_end()
    if not parts:
        raise ValueError("there is no data: the batches are empty")
    return [joined(of_output) for of_output in zip(*parts)]
