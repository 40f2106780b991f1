# SPDX-License-Identifier: Apache-2.0
"""What a served model is fed, and how its features come of it."""

from collections import namedtuple

from ... import dtypes
from ...graph.convert import placeholder
from ...graph.elements import Tensor
from ...graph.tensor_shape import TensorShape
from ...ops.parsing.examples import parse_example
from ...ops.sparse.sparse_tensor import SparseTensor
from ...ops.state.variables import Variable

_NAMES = {
    "feature": "feature",
    "label": "label",
    "receiver_tensor": "input",
    "receiver_tensors_alternative": "input",
}


def _check_tensor(tensor, what):
    if not isinstance(tensor, (Tensor, SparseTensor, Variable)):
        raise ValueError(f"{what} must be a Tensor or SparseTensor.")


def _named(tensors, what, ints=False):
    """A dict of tensors; a single one gets its usual name."""
    if tensors is None:
        raise ValueError(f"{what}s must be defined.")
    if not isinstance(tensors, dict):
        tensors = {_NAMES[what]: tensors}
    for name, tensor in tensors.items():
        if not isinstance(name, str) and not (ints and isinstance(name, int)):
            raise ValueError(f"{what} keys must be strings: {name}.")
        _check_tensor(tensor, f"{what} {name}")
    return tensors


class ServingInputReceiver(
    namedtuple("ServingInputReceiver", "features receiver_tensors receiver_tensors_alternatives")
):
    """The features of a served model, and the tensors that are fed.

    Args:
        features: A tensor, or a dict: name -> tensor or SparseTensor.
        receiver_tensors: The tensors that are fed: one, or a dict: name -> tensor.
        receiver_tensors_alternatives: A dict: name -> other tensors to feed instead. None: none.

    Raises:
        ValueError: A name is not a str, or a value not a tensor.
    """

    __slots__ = ()

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        features = _named(features, "feature", ints=True)
        receiver_tensors = _named(receiver_tensors, "receiver_tensor")
        others = receiver_tensors_alternatives
        if others is not None:
            if not isinstance(others, dict):
                raise ValueError(f"receiver_tensors_alternatives must be a dict: {others}.")
            others = {k: _named(v, "receiver_tensors_alternative") for k, v in others.items()}
        return super().__new__(cls, features, receiver_tensors, others)


class TensorServingInputReceiver(
    namedtuple(
        "TensorServingInputReceiver", "features receiver_tensors receiver_tensors_alternatives"
    )
):
    """The only feature of a served model, and the tensors that are fed. The model function gets the
    feature without a dict.

    Args:
        features: A tensor or SparseTensor.
        receiver_tensors: The tensors that are fed: one, or a dict: name -> tensor.
        receiver_tensors_alternatives: A dict: name -> other tensors to feed instead. None: none.

    Raises:
        ValueError: features is not a tensor, or receiver_tensors are none.
    """

    __slots__ = ()

    def __new__(cls, features, receiver_tensors, receiver_tensors_alternatives=None):
        if features is None:
            raise ValueError("features must be defined.")
        _check_tensor(features, "feature")
        made = ServingInputReceiver(features, receiver_tensors, receiver_tensors_alternatives)
        return super().__new__(cls, features, *made[1:])


class SupervisedInputReceiver(
    namedtuple("SupervisedInputReceiver", "features labels receiver_tensors")
):
    """The features and labels of an exported step of training, and the tensors that are fed."""

    __slots__ = ()

    def __new__(cls, features, labels, receiver_tensors):
        _named(features, "feature", ints=True)
        _named(labels, "label", ints=True)
        return super().__new__(cls, features, labels, _named(receiver_tensors, "receiver_tensor"))


def build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size=None):
    """Makes the receiver of a model that is fed serialised Examples.

    Args:
        feature_spec: How they are parsed: a dict, name -> FixedLenFeature or VarLenFeature.
        default_batch_size: How many Examples are fed at once, an int. None: any number.

    Returns:
        A function without arguments that returns a ServingInputReceiver.
    """

    def serving_input_receiver_fn():
        examples = placeholder(dtypes.string, [default_batch_size], name="input_example_tensor")
        return ServingInputReceiver(parse_example(examples, feature_spec), {"examples": examples})

    return serving_input_receiver_fn


def _placeholder_like(tensor, batch_size):
    shape = TensorShape([batch_size]).concatenate(tensor.shape[1:])
    return placeholder(tensor.dtype, shape, name=tensor.op.name)


def _placeholders_like(tensors, batch_size):
    return {name: _placeholder_like(t, batch_size) for name, t in tensors.items()}


def build_raw_serving_input_receiver_fn(features, default_batch_size=None):
    """Makes the receiver of a model that is fed its features.

    Args:
        features: A dict: name -> tensor with the dtype and the shape of the feature.
        default_batch_size: How many elements are fed at once, an int. None: any number.

    Returns:
        A function without arguments that returns a ServingInputReceiver.
    """

    def serving_input_receiver_fn():
        tensors = _placeholders_like(features, default_batch_size)
        return ServingInputReceiver(tensors, tensors)

    return serving_input_receiver_fn


def build_raw_supervised_input_receiver_fn(features, labels, default_batch_size=None):
    """Makes the receiver of an exported step of training or evaluation.

    Args:
        features: A tensor, or a dict: name -> tensor with the dtype and the shape of the feature.
        labels: A tensor, or a dict: name -> tensor. Its names are other ones.
        default_batch_size: How many elements are fed at once, an int. None: any number.

    Returns:
        A function without arguments that returns the receiver.

    Raises:
        ValueError: A feature and a label have one name.
    """
    names = [
        set(given if isinstance(given, dict) else [default])
        for given, default in ((features, "input"), (labels, "label"))
    ]
    if names[0] & names[1]:
        raise ValueError(f"features and labels have the names {names[0] & names[1]} in common")

    def receiver_fn():
        made, fed = [], {}
        for given, default in ((features, "input"), (labels, "label")):
            if isinstance(given, dict):
                made.append(_placeholders_like(given, default_batch_size))
                fed.update(made[-1])
            else:
                made.append(_placeholder_like(given, default_batch_size))
                fed[default] = made[-1]
        return SupervisedInputReceiver(*made, fed)

    return receiver_fn
