# SPDX-License-Identifier: Apache-2.0
"""How the features of columns are parsed."""

from ..ops.parsing.features import FixedLenFeature, VarLenFeature
from .columns import FeatureColumn


def fixed_length(shape, dtype, default_value):
    """How a feature with a fixed number of values is parsed."""
    return FixedLenFeature(shape, dtype, default_value)


def any_length(dtype):
    """How a feature with any number of values is parsed."""
    return VarLenFeature(dtype)


def make_parse_example_spec(feature_columns):
    """Returns how Examples are parsed to the features that columns take.

    Args:
        feature_columns: An iterable of columns.

    Returns:
        A dict: name of the feature -> FixedLenFeature or VarLenFeature.

    Raises:
        ValueError: An item is not a column, or two parse one feature differently.

    Example:
        >>> price = sl.feature_column.numeric_column("price")
        >>> sl.feature_column.make_parse_example_spec([price])["price"].shape
        (1,)
    """
    found = {}
    for column in feature_columns:
        if not isinstance(column, FeatureColumn):
            raise ValueError(
                f"All feature_columns must be FeatureColumn instances. Given: {column}"
            )
        for key, spec in column.parse_example_spec.items():
            if found.setdefault(key, spec) != spec:
                raise ValueError(
                    f"feature_columns contain different parse_spec for key {key}. Given {spec} and"
                    f" {found[key]}"
                )
    return found
