# SPDX-License-Identifier: Apache-2.0
"""Columns as configurations, with the classes and the fields that TensorFlow's have."""

from .. import dtypes
from ..layers.arguments import described, resolved
from . import categorical, crossing, embedding, numeric, sequences
from .columns import FeatureColumn

_CLASSES = {
    "BucketizedColumn": numeric.BucketizedColumn,
    "CrossedColumn": crossing.CrossedColumn,
    "EmbeddingColumn": embedding.EmbeddingColumn,
    "HashedCategoricalColumn": categorical.HashedColumn,
    "IdentityCategoricalColumn": categorical.IdentityColumn,
    "IndicatorColumn": embedding.IndicatorColumn,
    "NumericColumn": numeric.NumericColumn,
    "SequenceCategoricalColumn": sequences.SequenceColumn,
    "SequenceNumericColumn": sequences.SequenceNumericColumn,
    "VocabularyFileCategoricalColumn": categorical.VocabularyFileColumn,
    "VocabularyListCategoricalColumn": categorical.VocabularyListColumn,
    "WeightedCategoricalColumn": categorical.WeightedColumn,
}
_NAMES = {cls: name for name, cls in _CLASSES.items()}
_OF_CHECKPOINT = ("ckpt_to_load_from", "tensor_name_in_ckpt")


def serialize(column):
    """Describes a column.

    Args:
        column: The column.

    Returns:
        A dict of "class_name" and "config".

    Raises:
        ValueError: The column shares its table with others.
    """
    if type(column) not in _NAMES:
        raise ValueError(f"column {column.name} shares its table, which no configuration says")
    config = {name: _described(name, getattr(column, name)) for name in _fields(type(column))}
    return {"class_name": _NAMES[type(column)], "config": config}


def _fields(cls):
    if cls is not embedding.EmbeddingColumn:
        return cls._fields
    own = [name for name in cls._fields if name not in ("checkpoint", "collection")]
    return [*own, *_OF_CHECKPOINT]


def _described(name, value):
    if isinstance(value, FeatureColumn):
        return serialize(value)
    if name == "dtype":
        return value.name
    if name == "keys":
        return tuple(_described("", key) for key in value)
    if name == "normalizer_fn":
        return None if value is None else value.__name__
    return described(name, value)


def deserialize(config, custom_objects=None):
    """Makes the column that serialize() described.

    Args:
        config: The dict.
        custom_objects: A dict: name -> function of the program. None: none.

    Returns:
        A column. Its columns with equal arguments are equal.

    Raises:
        ValueError: A name is not known.
    """
    if config["class_name"] not in _CLASSES:
        raise ValueError(f"Unknown feature_column:{config['class_name']}")
    cls, known = _CLASSES[config["class_name"]], custom_objects or {}
    found = {name: _made(name, value, known) for name, value in config["config"].items()}
    if cls is embedding.EmbeddingColumn:
        found["checkpoint"] = tuple(found.pop(name) for name in _OF_CHECKPOINT)
        found["collection"] = None
    return cls(**found)


def _made(name, value, known):
    if isinstance(value, dict) and value.get("class_name") in _CLASSES:
        return deserialize(value, known)
    if name == "dtype":
        return dtypes.as_dtype(value)
    if name == "keys":
        return tuple(_made("", key, known) for key in value)
    if name == "normalizer_fn" and value is not None:
        if value not in known:
            raise ValueError(f"Unknown object:{value}")
        return known[value]
    if name in ("shape", "boundaries", "vocabulary_list"):  # JSON has lists only
        return tuple(value)
    return resolved(name, value)
