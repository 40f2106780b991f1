# SPDX-License-Identifier: Apache-2.0
"""A test of a layer of Keras: alone, in models of both kinds, from its configuration."""

import inspect

import numpy as np

from .. import keras
from ..graph.tensor_shape import TensorShape
from ..ops.functions.specs import TensorSpec


def layer_test(layer_cls, kwargs=None, input_shape=None, input_dtype=None, input_data=None,
               expected_output=None, expected_output_dtype=None, expected_output_shape=None,
               validate_training=True, adapt_data=None):  # fmt: skip
    """Tests a layer with one input and one output.

    Args:
        layer_cls: The class of the layer.
        kwargs: Its arguments, a dict.
        input_shape: Shape of a batch, a tuple; None in it: any size. None: that of input_data.
        input_dtype: Dtype of the input, a str. None: that of input_data, or float32.
        input_data: A batch, an array. None: random numbers.
        expected_output: What the layer gives, an array. None: anything.
        expected_output_dtype: Dtype of the output. None: that of the input.
        expected_output_shape: Shape of the output, known before it runs. None: any.
        validate_training: Whether a model with the layer is trained. A bool.
        adapt_data: What adapt() of the layer gets. None: it is not called.

    Returns:
        The output, an array.

    Raises:
        AssertionError: Something differs from what is expected.
        ValueError: There is neither a shape nor a batch.
    """
    if input_data is None:
        if input_shape is None:
            raise ValueError("input_shape is None")
        input_dtype = input_dtype or "float32"
        input_data = _random_batch(input_shape, input_dtype)
    input_shape = input_data.shape if input_shape is None else input_shape
    input_dtype = input_dtype or input_data.dtype
    kwargs = kwargs or {}
    told = _Differences(layer_cls, kwargs)

    layer = layer_cls(**kwargs)
    if adapt_data is not None:
        layer.adapt(adapt_data)
    weights = layer.get_weights()
    layer.set_weights(weights)
    if "weights" in inspect.signature(layer_cls.__init__).parameters:
        layer = layer_cls(**{**kwargs, "weights": weights})

    x = keras.layers.Input(shape=input_shape[1:], dtype=input_dtype)
    y = layer(x)
    told.dtypes(expected_output_dtype or input_dtype, keras.backend.dtype(y))
    if expected_output_shape is not None:
        told.shapes(TensorShape(expected_output_shape).as_list(), y.shape.as_list())
    model = keras.Model(x, y)
    shape = layer.compute_output_shape(TensorShape(input_shape)).as_list()
    signature = layer.compute_output_signature(TensorSpec(input_shape, input_dtype))
    output = model.predict(input_data)
    told.shapes(shape, output.shape)
    told.shapes(signature.shape.as_list(), output.shape)
    told.dtypes(signature.dtype, output.dtype)
    _check_output(model, input_data, output, expected_output)
    if validate_training:
        model = keras.Model(x, layer(x))
        model.compile("rmsprop", "mse", weighted_metrics=["acc"])
        model.train_on_batch(input_data, output)

    config = {**layer.get_config(), "batch_input_shape": input_shape}
    layer = layer.__class__.from_config(config)
    if adapt_data is not None:
        layer.adapt(adapt_data)
    model = keras.Sequential([layer])
    output = model.predict(input_data)
    told.shapes(shape, output.shape)
    _check_output(model, input_data, output, expected_output)
    return output


def _random_batch(shape, dtype):
    batch = 10 * np.random.random([np.random.randint(1, 4) if n is None else n for n in shape])
    return (batch - 0.5 * (dtype[:5] == "float")).astype(dtype)


def _check_output(model, batch, output, expected):
    """What a model gives, and one from its configuration with the same weights."""
    if expected is not None:
        np.testing.assert_allclose(output, expected, rtol=1e-3, atol=1e-6)
    copy = type(model).from_config(model.get_config())
    if model.weights:
        copy.set_weights(model.get_weights())
        np.testing.assert_allclose(copy.predict(batch), output, rtol=1e-3, atol=1e-6)


class _Differences:
    """Raises AssertionErrors about a layer.

    Args:
        layer_cls: The class of the layer.
        kwargs: Its arguments.
    """

    def __init__(self, layer_cls, kwargs):
        self._layer = f"layer {layer_cls.__name__} with {kwargs}"

    def dtypes(self, expected, actual):
        if expected != actual:
            raise AssertionError(
                f"{self._layer}: the output has dtype={actual} instead of {expected}"
            )

    def shapes(self, expected, actual):
        if len(expected) != len(actual) or any(
            e is not None and e != a for e, a in zip(expected, actual)
        ):
            raise AssertionError(
                f"{self._layer}: the output has shape {actual} instead of {expected}"
            )
