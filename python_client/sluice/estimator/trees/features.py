# SPDX-License-Identifier: Apache-2.0
"""The features of boosted trees: each is the number of a bucket, an int32 vector over examples."""

from ... import dtypes
from ...feature_column.columns import CategoricalColumn, DenseColumn
from ...feature_column.embedding import IndicatorColumn
from ...feature_column.numeric import BucketizedColumn
from ...ops import array as arrays
from ...ops import raw_ops


def is_float(column):
    """Whether a column has numbers, whose buckets are quantiles.

    Raises:
        ValueError: The column is of another kind.
    """
    if isinstance(column, (CategoricalColumn, BucketizedColumn, IndicatorColumn)):
        return False
    if isinstance(column, DenseColumn) and hasattr(column, "dtype"):
        return column.dtype.is_floating
    raise ValueError(f"Encountered unexpected column {column}")


def width(column):
    """How many features a column is.

    Raises:
        ValueError: The column is of another kind.
    """
    if isinstance(column, IndicatorColumn):
        return column.categorical_column.num_buckets
    if isinstance(column, BucketizedColumn):
        return 1
    if isinstance(column, CategoricalColumn):
        raise ValueError(
            f"CategoricalColumn must be wrapped by IndicatorColumn, got: {column}"
        )
    if not isinstance(column, DenseColumn):
        raise ValueError(f"Got unexpected feature column type: {column}")
    shape = column.variable_shape.as_list()
    if len(shape) > 1:
        raise ValueError(
            f"For now, we only support Dense column with rank of 1, but column `{column.name}` "
            f"got: {column.variable_shape}"
        )
    return shape[0] if shape else 1


def names_of(columns):
    """The name of the column of each feature, a list of str."""
    names = []
    for column in columns:
        own = column.categorical_column if isinstance(column, IndicatorColumn) else column
        names += [own.name] * width(column)
    return names


def grouped(columns, quantiles):
    """Features by how many buckets they have.

    Args:
        columns: The columns, sorted.
        quantiles: How many buckets a feature of numbers has, an int.

    Returns:
        A dict: number of buckets -> numbers of the features, a list of ints.
    """
    found, bucketized, most, at = {}, [], 2, 0
    for column in columns:
        numbers = list(range(at, at + width(column)))
        at += len(numbers)
        if isinstance(column, IndicatorColumn):
            found.setdefault(2, []).extend(numbers)
        elif isinstance(column, BucketizedColumn):
            most = max(most, len(column.boundaries) + 1)
            bucketized += numbers
        else:
            found.setdefault(quantiles, []).extend(numbers)
    if bucketized:
        found.setdefault(most, []).extend(bucketized)
    return found


def numbers_of(features, columns):
    """The numbers of columns, a list of float vectors over examples.

    Args:
        features: The Features.
        columns: Columns of numbers, sorted.
    """
    found = []
    for column in columns:
        found += arrays.unstack(features.get(column), width(column), axis=1)
    return found


def buckets_of(features, columns, boundaries):
    """The bucket of each feature, a list of int32 vectors over examples.

    Args:
        features: The Features.
        columns: All columns, sorted.
        boundaries: A dict: name of a column of numbers -> where the buckets of each of its features
            begin, a list of tensors.
    """
    found = []
    for column in columns:
        if isinstance(column, BucketizedColumn):
            if column.source_column.shape[0] != 1:
                raise ValueError(
                    "For now, only supports features equivalent to rank 1 but column "
                    f"`{column.source_column.name}` got: {column.source_column.shape}"
                )
            found.append(arrays.squeeze(features.get(column), axis=[1]))
        elif isinstance(column, IndicatorColumn):
            ids = arrays.cast(features.get(column), dtypes.int32)
            found += arrays.unstack(ids, width(column), axis=1)
        elif column.name in boundaries:
            buckets = raw_ops.BoostedTreesBucketize(
                float_values=numbers_of(features, [column]),
                bucket_boundaries=boundaries[column.name],
            )
            found += list(buckets) if isinstance(buckets, (list, tuple)) else [buckets]
        else:
            found += numbers_of(features, [column])
    return found


def boundaries_of(columns, boundaries):
    """The boundaries of all features by the names of their columns.

    Args:
        columns: Columns of numbers, sorted.
        boundaries: A list of tensors, one for each feature.
    """
    found, at = {}, 0
    for column in columns:
        found[column.name] = boundaries[at : at + width(column)]
        at += width(column)
    return found
