# SPDX-License-Identifier: Apache-2.0
"""Lookup tables: a task holds them, keys give values. tables_initializer() fills them."""

from . import modules
from .ops.lookup.initializers import KeyValueTensorInitializer, TextFileIndex, TextFileInitializer
from .ops.lookup.mutable import DenseHashTable
from .ops.lookup.tables import StaticHashTable
from .ops.lookup.vocabulary import StaticVocabularyTable

experimental = modules.make(
    "lookup.experimental", "Tables that steps change.", {"DenseHashTable": DenseHashTable}
)
__all__ = [
    "KeyValueTensorInitializer",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]
