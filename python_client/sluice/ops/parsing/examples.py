# SPDX-License-Identifier: Apache-2.0
"""Examples, which are protocol messages, as tensors."""

from ...graph.convert import convert_to_tensor
from ...graph.default_graph import control_dependencies, name_scope
from .. import array as arrays
from .. import math, raw_ops
from ..sparse.sparse_tensor import SparseTensor
from .features import KINDS, Wanted, found_features, joined, name_of, with_lengths


def parse_example(serialized, features, name=None, example_names=None):
    """Parses a batch of Examples.

    Args:
        serialized: The bytes of the Examples, a string vector.
        features: A dict: name of a feature -> FixedLenFeature, VarLenFeature, SparseFeature or
            FixedLenSequenceFeature.
        name: Name of the operation, a str. None: a default name.
        example_names: Names of the Examples that errors show, a string vector.

    Returns:
        A dict: name of a feature -> a tensor or SparseTensor, whose first dimension is the batch.

    Raises:
        ValueError: A feature is not described well.
        errors.InvalidArgumentError: In run(): an Example lacks a feature, or has another dtype.

    Example:
        >>> feature = sl.train.Feature(int64_list=sl.train.Int64List(value=[1, 2]))
        >>> example = sl.train.Example(features=sl.train.Features(feature={"x": feature}))
        >>> wanted = {"x": sl.io.FixedLenFeature([2], sl.int64)}
        >>> sl.Session().run(sl.io.parse_example([example.SerializeToString()], wanted))
        {'x': array([[1, 2]])}
    """
    features = with_lengths(_some(features))
    wanted = Wanted(features, KINDS)
    return joined(features, _parsed(serialized, example_names, wanted, name))


def _some(features):
    if not features:
        raise ValueError(f"Missing: features was {features}.")
    return features


def _parsed(serialized, names, wanted, name):
    with name_scope(name or "ParseExample"):
        outputs = raw_ops.ParseExample(
            dense_defaults=wanted.defaults(), serialized=serialized,
            names=[] if names is None else names, sparse_keys=[*wanted.sparse],
            sparse_types=[*wanted.sparse.values()], dense_keys=[*wanted.dense],
            dense_shapes=wanted.shapes, name=name,
        )  # fmt: skip
        return found_features(wanted, *outputs)


def parse_single_example(serialized, features, name=None, example_names=None):
    """Parses one Example.

    Args:
        serialized: The bytes of the Example, a string scalar.
        features: A dict: name of a feature -> FixedLenFeature, VarLenFeature, SparseFeature or
            FixedLenSequenceFeature.
        name: Name of the operation, a str. None: a default name.
        example_names: Name of the Example that errors show, a string scalar.

    Returns:
        A dict: name of a feature -> a tensor or SparseTensor.

    Raises:
        ValueError: A feature is not described well, or `serialized` is not a scalar.
        errors.InvalidArgumentError: In run(): the Example lacks a feature, or has another dtype.
    """
    features = with_lengths(_some(features))
    wanted = Wanted(features, KINDS)
    if example_names is not None:
        return joined(features, _one_of_batch(serialized, example_names, wanted, name))
    with name_scope(name or "ParseSingleExample"):
        serialized = convert_to_tensor(serialized, name="serialized")
        outputs = raw_ops.ParseSingleExample(
            serialized=serialized, dense_defaults=wanted.defaults(),
            num_sparse=len(wanted.sparse), sparse_keys=[*wanted.sparse],
            sparse_types=[*wanted.sparse.values()], dense_keys=[*wanted.dense],
            dense_shapes=wanted.shapes, name=name,
        )  # fmt: skip
        found = found_features(wanted, *outputs)
    return joined(features, found)


def _one_of_batch(serialized, example_name, wanted, name):
    """An Example that has a name, parsed as a batch of one."""
    with name_scope(name or "ParseSingleExample"):
        serialized = arrays.expand_dims(_scalar(serialized, "Serialized"), 0)
        names = arrays.expand_dims(_scalar(example_name, "Names"), 0)
        found = _parsed(serialized, names, wanted, name)
        for key in wanted.dense:
            found[key] = arrays.squeeze(found[key], [0], name=f"Squeeze_{name_of(key)}")
        for key in wanted.sparse:
            sparse, word = found[key], name_of(key)
            found[key] = SparseTensor(
                arrays.slice(sparse.indices, [0, 1], [-1, -1], name=f"Slice_Indices_{word}"),
                sparse.values,
                arrays.slice(sparse.dense_shape, [1], [-1], name=f"Squeeze_Shape_{word}"),
            )
        return found


def _scalar(value, word):
    tensor = convert_to_tensor(value)
    if tensor.shape.ndims is None:
        check = raw_ops.Assert(
            condition=math.equal(arrays.rank(tensor), 0),
            data=[f"Input {word.lower()} must be a scalar"], name=f"{word}IsScalar",
        )  # fmt: skip
        with control_dependencies([check]):
            return arrays.identity(tensor, name=f"{word}Dependencies")
    if tensor.shape.ndims:
        raise ValueError(
            f"Input {word.lower()} must be a scalar, not a tensor of shape {tensor.shape}"
        )
    return tensor


__all__ = ["parse_example", "parse_single_example"]
