# SPDX-License-Identifier: Apache-2.0
"""SequenceExamples, which are protocol messages, as tensors."""

from ...graph.default_graph import name_scope
from .. import raw_ops
from .features import (
    FixedLenFeature,
    FixedLenSequenceFeature,
    VarLenFeature,
    Wanted,
    found_features,
)


def parse_sequence_example(serialized, context_features=None, sequence_features=None,
                           example_names=None, name=None):  # fmt: skip
    """Parses a batch of SequenceExamples.

    Args:
        serialized: The bytes of the SequenceExamples, a string vector.
        context_features: A dict: name of a feature -> FixedLenFeature or VarLenFeature.
        sequence_features: A dict: name of a list of features -> FixedLenSequenceFeature or
            VarLenFeature.
        example_names: Names of the SequenceExamples that errors show, a string vector.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple of dicts: the context's tensors; those of the sequences; the lengths of the dense
        sequences.

    Raises:
        ValueError: A feature is not described well, or there is none.
        errors.InvalidArgumentError: In run(): a feature is missing, or has another dtype.
    """
    context, lists = _wanted(context_features, sequence_features)
    with name_scope(name or "ParseSequenceExample"):
        outputs = raw_ops.ParseSequenceExample(
            serialized=serialized, debug_name=[] if example_names is None else example_names,
            context_dense_defaults=context.defaults(reshaped=False),
            Ncontext_sparse=len(context.sparse), Ncontext_dense=len(context.dense),
            Nfeature_list_sparse=len(lists.sparse), Nfeature_list_dense=len(lists.dense),
            name=name, **_keys(context, lists), **_types(context, lists),
        )  # fmt: skip
        lengths = dict(zip(lists.dense, outputs[8]))
        return *_both(context, lists, outputs), lengths


def parse_single_sequence_example(serialized, context_features=None, sequence_features=None,
                                  example_name=None, name=None):  # fmt: skip
    """Parses one SequenceExample.

    Args:
        serialized: The bytes of the SequenceExample, a string scalar.
        context_features: A dict: name of a feature -> FixedLenFeature or VarLenFeature.
        sequence_features: A dict: name of a list of features -> FixedLenSequenceFeature or
            VarLenFeature.
        example_name: Name of the SequenceExample that errors show, a string scalar.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tuple of dicts: the context's tensors; those of the sequences.

    Raises:
        ValueError: A feature is not described well, or there is none.
        errors.InvalidArgumentError: In run(): a feature is missing, or has another dtype.
    """
    context, lists = _wanted(context_features, sequence_features)
    with name_scope(name or "ParseSingleSequenceExample"):
        outputs = raw_ops.ParseSingleSequenceExample(
            serialized=serialized, debug_name="" if example_name is None else example_name,
            context_dense_defaults=context.defaults(), name=name, **_keys(context, lists),
            **_types(context, lists),
        )  # fmt: skip
        return _both(context, lists, outputs)


def _wanted(context, lists):
    if not (context or lists):
        raise ValueError("Missing features.")
    context = Wanted(context, (VarLenFeature, FixedLenFeature))
    found = Wanted(lists, (VarLenFeature, FixedLenSequenceFeature))
    for key, (_, _, default) in found.dense.items():
        if default is not None:
            raise ValueError(f"Value feature_list_dense_defaults[{key}] must be None")
    return context, found


def _keys(context, lists):
    return {
        "context_sparse_keys": [*context.sparse],
        "context_dense_keys": [*context.dense],
        "feature_list_sparse_keys": [*lists.sparse],
        "feature_list_dense_keys": [*lists.dense],
        "feature_list_dense_missing_assumed_empty": lists.optional,
    }


def _types(context, lists):
    return {
        "context_sparse_types": [*context.sparse.values()],
        "context_dense_shapes": context.shapes,
        "feature_list_sparse_types": [*lists.sparse.values()],
        "feature_list_dense_types": [dtype for dtype, _, _ in lists.dense.values()],
        "feature_list_dense_shapes": lists.shapes,
    }


def _both(context, lists, outputs):
    return found_features(context, *outputs[:4]), found_features(lists, *outputs[4:8])


__all__ = ["parse_sequence_example", "parse_single_sequence_example"]
