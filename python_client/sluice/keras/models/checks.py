# SPDX-License-Identifier: Apache-2.0
"""Checks of the arrays that models are given, beside their shapes."""

import inspect

from ... import logging
from ...graph.tensor_shape import TensorShape
from ..fitting import losses

_OF_SHAPE = (
    losses.mean_squared_error, losses.binary_crossentropy, losses.categorical_crossentropy,
)  # fmt: skip
NOT_OF_FLOATS = (
    "You cannot build your model by calling `build` if your layers do not support float type "
    "inputs. Instead, in order to instantiate and build your model, `call` your model on real "
    "tensor data (of the correct dtype)."
)
_AS_BINARY = """`categorical_crossentropy` expects targets to be binary matrices (1s and 0s) of \
shape (samples, classes). If your targets are integer classes, you can convert them to the \
expected format via:
```
from keras.utils import to_categorical
y_binary = to_categorical(y_int)
```

Alternatively, you can use the loss function `sparse_categorical_crossentropy` instead, which does \
expect integer targets."""


def check_static(model):
    """Raises ValueError for a model that needs eager execution.

    Args:
        model: The model.
    """
    if model.dynamic:
        raise ValueError(
            "Your model contains layers that can only be successfully run in eager execution "
            "(layers constructed with `dynamic=True`). You must enable eager execution with "
            "`tf.enable_eager_execution()`."
        )


def check_shape_to_build(shape):
    """Raises ValueError where build() of a class that defines call() gets no shapes.

    Args:
        shape: What it got.
    """
    if shape is None:
        raise ValueError(
            "Input shape must be defined when calling build on a model subclass network."
        )
    if not isinstance(shape, (tuple, list, TensorShape)):
        raise ValueError(
            "Specified input shape is not one of the valid types. Please specify a batch input "
            "shape of type tuple or list of input shapes. User provided input type: "
            f"{type(shape)}"
        )


def arguments_to_build(call):
    """The arguments beside the inputs that build() gives to call().

    Args:
        call: The method.

    Returns:
        A dict.

    Raises:
        ValueError: call() requires others.
    """
    kinds = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    parameters = [p for p in inspect.signature(call).parameters.values() if p.kind in kinds]
    required = [p.name for p in parameters[1:] if p.default is inspect.Parameter.empty]
    if set(required) - {"training"}:
        raise ValueError(
            "Currently, you cannot build your model if it has positional or keyword arguments that "
            "are not inputs to the model, but are required for its `call` method. Instead, in "
            "order to instantiate and build your model, `call` your model on real tensor data with "
            "all expected call arguments."
        )
    return dict.fromkeys(required, False)


def check_validation(given, split, steps):
    """Raises ValueError for steps of validation without data for it.

    Args:
        given: The data that fit() was given for validation, or None.
        split: Which part of the data of training validates, a float.
        steps: How many batches, an int or None.
    """
    if steps and given is None and not split:
        raise ValueError("`validation_steps` should not be specified if `validation_data` is None.")


def check_predicted(values, size):
    """Raises ValueError for outputs that do not have one row for each sample.

    Args:
        values: The outputs of a batch, a list of arrays.
        size: How many samples the batch has, an int.
    """
    for value in values:
        if value.shape[:1] != (size,):
            raise ValueError(
                "Mismatch between expected batch size and model output batch size. Output shape = "
                f"{value.shape}, expected output shape = shape {(size, *value.shape[1:])}"
            )


def check_batch(inputs, targets, weights, outputs):
    """Raises ValueError where arrays do not fit each other, or the losses of a model.

    Args:
        inputs: The inputs, a list of arrays.
        targets: The targets, a list of arrays.
        weights: The weights of samples, a list of arrays.
        outputs: The outputs of the model that have a loss, a list. Empty: they are not checked.
    """
    check_lengths(inputs, targets, weights)
    _check_targets(targets, outputs)


def check_lengths(inputs, targets, weights):
    """Raises ValueError where arrays do not have the same number of samples.

    Args:
        inputs: The inputs, a list of arrays.
        targets: The targets, a list of arrays and None.
        weights: The weights of samples, a list of arrays and None.
    """
    counts = []
    for what, given in (
        ("input arrays (x)", inputs), ("target arrays (y)", targets),
        ("sample_weight arrays", weights),
    ):  # fmt: skip
        found = {len(a) for a in given if a is not None}
        if len(found) > 1:
            raise ValueError(
                f"All {what} should have the same number of samples. Got array shapes: "
                f"{[a.shape for a in given]}"
            )
        counts.append(next(iter(found), None))
    x, y, w = counts
    if None not in (x, y) and x != y:
        raise ValueError(
            "Input arrays should have the same number of samples as target arrays. Found "
            f"{x} input samples and {y} target samples."
        )
    if None not in (y, w) and y != w:
        raise ValueError(
            "Sample_weight arrays should have the same number of samples as target arrays. Got "
            f"{w} input samples and {y} target samples."
        )


def _check_targets(targets, outputs):
    for target, output in zip(targets, outputs):
        function = getattr(output.loss, "fn", None)
        if function is losses.categorical_crossentropy and target.shape[-1] == 1:
            raise ValueError(
                f"You are passing a target array of shape {target.shape} while using as loss "
                f"`categorical_crossentropy`. {_AS_BINARY}"
            )
        shape = output.tensor.shape
        if function not in _OF_SHAPE or shape.ndims is None:
            continue
        if any(w is not None and w != n for n, w in zip(target.shape[1:], shape.as_list()[1:])):
            raise ValueError(
                f"A target array with shape {target.shape} was passed for an output of shape "
                f"{tuple(shape.as_list())} while using as loss "
                f"`{output.loss.name or function.__name__}`. This loss expects targets to have the "
                "same shape as the output."
            )


def batch_size_of(model, given, count):
    """Finds the size of batches of arrays.

    Args:
        model: The model.
        given: What the program gave, an int, or None.
        count: How many samples there are, an int. None: no arrays.

    Returns:
        The size of the batches of the first input, if it has one; else what was given.

    Raises:
        ValueError: The size is not that of the input, or a stateful model gets a smaller batch.
    """
    shape = model.inputs[0].shape if model.inputs else None
    own = shape.as_list()[0] if shape is not None and shape.ndims else None
    if own is not None and given not in (None, own):
        raise ValueError(
            f"The `batch_size` argument value {given} is incompatible with the specified batch "
            f"size of your Input Layer: {own}"
        )
    size = own or given
    if model.stateful and size and count is not None and count % size:
        raise ValueError(
            "In a stateful network, you should only pass inputs with a number of samples that can "
            f"be divided by the batch size. Found: {count} samples"
        )
    return size


def check_validation_data(given):
    """Checks what fit() gets as validation_data.

    Args:
        given: The value, which is neither a data set nor a generator.

    Raises:
        ValueError: It has not two or three items.
    """
    if len(given) not in (2, 3):
        raise ValueError(
            "When passing a `validation_data` argument, it must contain either 2 items (x_val, "
            "y_val), or 3 items (x_val, y_val, val_sample_weights), or alternatively it could "
            "be a dataset or a dataset or a dataset iterator. However we received "
            f"`validation_data={given}`"
        )


def warn_of_steps():
    """Says that arrays are given together with a number of steps."""
    logging.warning(
        "When passing input data as arrays, do not specify `steps_per_epoch`/`steps` argument. "
        "Please use `batch_size` instead."
    )
