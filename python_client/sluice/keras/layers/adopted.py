# SPDX-License-Identifier: Apache-2.0
"""Layers that compute what those of sluice.layers do, with the variables and defaults of Keras."""

import inspect

from ... import layers as plain
from ...ops.state.initializers import ones, zeros
from ..base import state
from ..base.arguments import resolved
from ..engine.documents import described
from ..engine.layer import Layer
from .bases import Conv, Pooling1D, Pooling2D, Pooling3D, SeparableConv


def phase_of(training):
    """What a call was told of training; if nothing, the learning phase."""
    return state.learning_phase() if training is None else training


class _Masking:
    """Layers whose outputs have the masks of their inputs."""

    supports_masking = True


class _Phased(_Masking):
    """Layers whose calls take the learning phase if they are told nothing of training."""

    def call(self, inputs, training=None):
        """Computes the output.

        Args:
            inputs: The input, a tensor.
            training: Whether it is training. None: the learning phase says it.

        Returns:
            A tensor.
        """
        return super().call(inputs, phase_of(training))


class _Uncast:
    """Layers whose variables no policy casts."""

    _casts_variables = False


_NAMES = {zeros: "zeros", ones: "ones"}


def _default(parameter, defaults):
    name, value = parameter.name, parameter.default
    if name in defaults:
        return defaults[name]
    if name.endswith("_initializer"):
        return _NAMES.get(value, "glorot_uniform")
    return value


def adopted(base, left_out=("trainable", "name"), configured=None, before=(), added=(),
            kind=Layer, **defaults):  # fmt: skip
    """The Keras layer of a layer of sluice.layers: names stand for functions, and the variables are
    those of Keras.

    Args:
        base: The class of sluice.layers.
        left_out: Names of arguments that only **kwargs has.
        configured: Names of the arguments that get_config() returns. None: all.
        before: Classes whose methods come first.
        added: Arguments that only the layer of Keras has, a list of triples: the argument before
            it, name, default.
        kind: The class of Keras that it is also of.
        **defaults: Defaults that differ.
    """
    given = inspect.signature(base).parameters.values()
    parameters = [p for p in given if p.name not in (*left_out, "kwargs")]
    parameters = [p.replace(default=_default(p, defaults)) for p in parameters]
    for after, name, default in added:
        at = next(i for i, p in enumerate(parameters) if p.name == after)
        parameters.insert(at + 1, parameters[at].replace(name=name, default=default))
    more = inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD)
    signature = inspect.Signature([*parameters, more])

    def initial(self, *args, **kwargs):
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        arguments = bound.arguments
        others = arguments.pop("kwargs")
        base.__init__(self, **{k: resolved(k, v) for k, v in arguments.items()}, **others)

    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    initial.__signature__ = inspect.Signature([own, *parameters, more])
    initial.__name__, initial.__qualname__ = "__init__", f"{base.__name__}.__init__"
    members = {"__init__": initial, "__module__": __name__, "__qualname__": base.__name__,
               "arguments": tuple(configured or (p.name for p in parameters))}  # fmt: skip
    summary = base.__doc__.partition("\n")[0]
    return described(summary)(type(base.__name__, (*before, base, kind), members))


_IMAGES = {"data_format": None}
Conv1D = Convolution1D = adopted(plain.Conv1D, kind=Conv)
Conv2D = Convolution2D = adopted(plain.Conv2D, kind=Conv, **_IMAGES)
Conv3D = Convolution3D = adopted(plain.Conv3D, kind=Conv, **_IMAGES)
Conv2DTranspose = Convolution2DTranspose = adopted(
    plain.Conv2DTranspose,
    kind=Conv2D,
    added=[("padding", "output_padding", None), ("data_format", "dilation_rate", (1, 1))],
    **_IMAGES,
)
Conv3DTranspose = Convolution3DTranspose = adopted(
    plain.Conv3DTranspose, added=[("padding", "output_padding", None)], kind=Conv3D, **_IMAGES
)
SeparableConv1D = SeparableConvolution1D = adopted(
    plain.SeparableConv1D, kind=SeparableConv, **_IMAGES
)
SeparableConv2D = SeparableConvolution2D = adopted(
    plain.SeparableConv2D, kind=SeparableConv, **_IMAGES
)
MaxPooling1D = MaxPool1D = adopted(plain.MaxPooling1D, kind=Pooling1D, pool_size=2, strides=None)
AveragePooling1D = AvgPool1D = adopted(
    plain.AveragePooling1D, kind=Pooling1D, pool_size=2, strides=None
)
MaxPooling2D = MaxPool2D = adopted(
    plain.MaxPooling2D, kind=Pooling2D, pool_size=(2, 2), strides=None, **_IMAGES
)
AveragePooling2D = AvgPool2D = adopted(
    plain.AveragePooling2D, kind=Pooling2D, pool_size=(2, 2), strides=None, **_IMAGES
)
MaxPooling3D = MaxPool3D = adopted(
    plain.MaxPooling3D, kind=Pooling3D, pool_size=(2, 2, 2), strides=None, **_IMAGES
)
AveragePooling3D = AvgPool3D = adopted(
    plain.AveragePooling3D, kind=Pooling3D, pool_size=(2, 2, 2), strides=None, **_IMAGES
)
Dense = adopted(plain.Dense, before=(_Masking,))
Dropout = adopted(plain.Dropout, before=(_Phased,))
BatchNormalization = adopted(
    plain.BatchNormalization, ("name",), plain.BatchNormalization.arguments, (_Uncast, _Phased)
)
Flatten = adopted(plain.Flatten)

__all__ = [
    name for name, thing in list(globals().items())
    if isinstance(thing, type) and issubclass(thing, Layer) and thing.__module__ == __name__
]  # fmt: skip
