# SPDX-License-Identifier: Apache-2.0
"""Columns of combinations of features."""

import collections

from .. import dtypes
from ..ops.sparse.crossing import cross_hashed
from .categorical import HashedColumn
from .columns import CategoricalColumn
from .parsing import any_length


class CrossedColumn(
    collections.namedtuple("CrossedColumn", "keys hash_bucket_size hash_key"), CategoricalColumn
):
    """See crossed_column()."""

    @property
    def name(self):
        """The name, a str."""
        return "_X_".join(sorted(getattr(key, "name", key) for key in self._leaves()))

    @property
    def num_buckets(self):
        """How many ids there are, an int."""
        return self.hash_bucket_size

    @property
    def parse_example_spec(self):
        """How the features are parsed, a dict."""
        found = {}
        for key in self.keys:
            text = isinstance(key, str)
            found.update({key: any_length(dtypes.string)} if text else key.parse_example_spec)
        return found

    def _leaves(self):
        """The keys, and those of crossed columns among them."""
        for key in self.keys:
            yield from key._leaves() if isinstance(key, CrossedColumn) else [key]

    def transform(self, features):
        """Returns the buckets of the combinations."""
        inputs = []
        for key in self._leaves():
            if isinstance(key, str):
                inputs.append(features.get(key))
                continue
            ids, weights = key.ids_and_weights(features)
            if weights is not None:
                raise ValueError(f"column {key.name} has weights: it cannot be crossed")
            inputs.append(ids)
        return cross_hashed(inputs, self.num_buckets, self.hash_key)


def crossed_column(keys, hash_bucket_size, hash_key=None):
    """Makes a column of the combinations of features, whose ids are buckets of a hash.

    Args:
        keys: Names of features, or columns that become ids but not by a hash: a list of two or
            more.
        hash_bucket_size: How many buckets there are, an int.
        hash_key: Key of the hash, an int. None: a default key.

    Returns:
        A column that becomes ids.

    Raises:
        ValueError: An argument is invalid.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(
            f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}"
        )
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, (str, CategoricalColumn)):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical column except"
                f" HashedCategoricalColumn. Given: {key}"
            )
        if isinstance(key, HashedColumn):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before"
                " crossing will increase probability of collision. Instead, use the feature name"
                f" as a string. Given: {key}"
            )
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)
