# SPDX-License-Identifier: Apache-2.0
"""The classes of TensorFlow's feature columns: programs test what a column is."""

from .. import feature_column
from ..feature_column import (
    categorical,
    columns,
    configs,
    crossing,
    embedding,
    numeric,
    sequences,
)
from ..keras.layers.features import DenseFeatures, SequenceFeatures

_CLASSES = {
    "BucketizedColumn": numeric.BucketizedColumn,
    "CategoricalColumn": columns.CategoricalColumn,
    "CrossedColumn": crossing.CrossedColumn,
    "DenseColumn": columns.DenseColumn,
    "EmbeddingColumn": embedding.EmbeddingColumn,
    "FeatureColumn": columns.FeatureColumn,
    "HashedCategoricalColumn": categorical.HashedColumn,
    "IdentityCategoricalColumn": categorical.IdentityColumn,
    "IndicatorColumn": embedding.IndicatorColumn,
    "NumericColumn": numeric.NumericColumn,
    "SequenceCategoricalColumn": sequences.SequenceColumn,
    "SequenceNumericColumn": sequences.SequenceNumericColumn,
    "SharedEmbeddingColumn": embedding.SharedEmbeddingColumn,
    "VocabularyFileCategoricalColumn": categorical.VocabularyFileColumn,
    "VocabularyListCategoricalColumn": categorical.VocabularyListColumn,
    "WeightedCategoricalColumn": categorical.WeightedColumn,
}


def deserialize_feature_column(config, custom_objects=None, columns_by_name=None):
    """Makes the column of a configuration.

    Args:
        config: What serialize_feature_column() returned.
        custom_objects: A dict: name -> function or class that a configuration may name.
        columns_by_name: Accepted: equal columns are one.

    Returns:
        A column.
    """
    del columns_by_name
    return configs.deserialize(config, custom_objects)


def serialize_feature_columns(feature_columns):
    """Describes columns.

    Args:
        feature_columns: The columns, a list.

    Returns:
        A list of dicts.
    """
    return [configs.serialize(column) for column in feature_columns]


def deserialize_feature_columns(configs, custom_objects=None):
    """Makes the columns of configurations.

    Args:
        configs: What serialize_feature_columns() returned, a list.
        custom_objects: A dict: name -> function or class that a configuration may name.

    Returns:
        A list of columns.
    """
    return [deserialize_feature_column(config, custom_objects) for config in configs]


def is_feature_column_v2(feature_columns):
    """Whether all are columns. A bool."""
    return all(isinstance(column, columns.FeatureColumn) for column in feature_columns)


_SERIALIZED = {
    "deserialize_feature_column": deserialize_feature_column,
    "deserialize_feature_columns": deserialize_feature_columns,
    "serialize_feature_column": configs.serialize,
    "serialize_feature_columns": serialize_feature_columns,
}
_OF_VERSIONS = {
    **_CLASSES,
    "is_feature_column_v2": is_feature_column_v2,
    "make_parse_example_spec_v2": feature_column.make_parse_example_spec,
    "shared_embedding_columns_v2": feature_column.shared_embedding_columns,
}
_SEQUENCES = {
    "SequenceFeatures": SequenceFeatures, "SequenceNumericColumn": sequences.SequenceNumericColumn,
}  # fmt: skip
# The first module has their older names.
NAMES = {
    "feature_column.dense_features": {"DenseFeatures": DenseFeatures},
    "feature_column.dense_features_v2": {"DenseFeatures": DenseFeatures},
    "feature_column.feature_column": {
        **{f"_{name}": found for name, found in _CLASSES.items()},
        **{f"_{name}": getattr(feature_column, name) for name in """
            bucketized_column categorical_column_with_hash_bucket categorical_column_with_identity
            categorical_column_with_vocabulary_file categorical_column_with_vocabulary_list
            crossed_column embedding_column indicator_column numeric_column
            weighted_categorical_column
        """.split()},
    },
    "feature_column.feature_column_lib": {
        **_OF_VERSIONS, **_SEQUENCES, **_SERIALIZED, "DenseFeatures": DenseFeatures,
    },
    "feature_column.feature_column_v2": _OF_VERSIONS,
    "feature_column.sequence_feature_column": _SEQUENCES,
    "feature_column.serialization": _SERIALIZED,
}  # fmt: skip
