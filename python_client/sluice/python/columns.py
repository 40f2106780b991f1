# SPDX-License-Identifier: Apache-2.0
"""The classes of TensorFlow's feature columns: programs test what a column is."""

from ..feature_column import categorical, columns, crossing, embedding, numeric, sequences

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
# The first module has their older names.
NAMES = {
    "feature_column.feature_column": {f"_{name}": found for name, found in _CLASSES.items()},
    "feature_column.feature_column_v2": _CLASSES,
}
