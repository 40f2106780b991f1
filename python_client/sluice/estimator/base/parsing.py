# SPDX-License-Identifier: Apache-2.0
"""How the Examples of ready-made estimators are parsed, and metrics added to estimators."""

import inspect

from ... import dtypes
from ...feature_column.columns import FeatureColumn
from ...feature_column.numeric import numeric_column
from ...feature_column.parsing import make_parse_example_spec
from ...ops.parsing.features import FixedLenFeature
from .estimator import Estimator
from .modes import ModeKeys


def _with_label(feature_columns, label_key, label_spec, weight_column):
    columns = list(feature_columns)
    if weight_column is not None:
        named = isinstance(weight_column, FeatureColumn)
        columns.append(weight_column if named else numeric_column(weight_column))
    found = make_parse_example_spec(columns)
    if label_key in found:
        raise ValueError(f"label should not be used as feature. label_key: {label_key}")
    return {**found, label_key: label_spec}


def classifier_parse_example_spec(feature_columns, label_key, label_dtype=dtypes.int64,
                                  label_default=None, weight_column=None):  # fmt: skip
    """Returns how the Examples of a classifier are parsed.

    Args:
        feature_columns: The columns of the features, an iterable.
        label_key: Name of the label, a str.
        label_dtype: Its dtype.
        label_default: The label of Examples without one. None: they must have it.
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: none.

    Returns:
        A dict: name of the feature -> FixedLenFeature or VarLenFeature.

    Raises:
        ValueError: The label is one of the features.
    """
    label = FixedLenFeature((1,), label_dtype, label_default)
    return _with_label(feature_columns, label_key, label, weight_column)


def regressor_parse_example_spec(feature_columns, label_key, label_dtype=dtypes.float32,
                                 label_default=None, label_dimension=1,
                                 weight_column=None):  # fmt: skip
    """Returns how the Examples of a regression are parsed.

    Args:
        feature_columns: The columns of the features, an iterable.
        label_key: Name of the label, a str.
        label_dtype: Its dtype.
        label_default: The label of Examples without one. None: they must have it.
        label_dimension: How many numbers a label has, an int.
        weight_column: The feature with the weight of each example: its name, or a column of
            numeric_column(). None: none.

    Returns:
        A dict: name of the feature -> FixedLenFeature or VarLenFeature.

    Raises:
        ValueError: The label is one of the features.
    """
    label = FixedLenFeature((label_dimension,), label_dtype, label_default)
    return _with_label(feature_columns, label_key, label, weight_column)


def add_metrics(estimator, metric_fn):
    """Makes an estimator whose evaluations have more metrics.

    Args:
        estimator: The Estimator.
        metric_fn: A function of features, labels, predictions and config, or of some of these, that
            returns a dict: name -> pair of value and update operation.

    Returns:
        An Estimator in the same directory.

    Raises:
        ValueError: metric_fn has other arguments.
    """
    wanted = set(inspect.signature(metric_fn).parameters)
    if wanted - {"features", "labels", "predictions", "config"}:
        raise ValueError(f"metric_fn has following not expected args: {sorted(wanted)}")

    def model_fn(features, labels, mode, config):
        spec = estimator.model_fn(features, labels, mode, config)
        if mode != ModeKeys.EVAL:
            return spec
        given = {
            "features": features,
            "labels": labels,
            "predictions": spec.predictions,
            "config": config,
        }
        more = metric_fn(**{key: value for key, value in given.items() if key in wanted})
        return spec._replace(eval_metric_ops={**spec.eval_metric_ops, **more})

    return Estimator(model_fn, estimator.model_dir, estimator.config)


__all__ = ["add_metrics", "classifier_parse_example_spec", "regressor_parse_example_spec"]
