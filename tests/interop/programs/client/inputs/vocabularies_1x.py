# SPDX-License-Identifier: Apache-2.0
"""Vocabularies by the functions that only 1.x's contrib has."""

import os
import tempfile

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import outcome, says

ONLY_1X = True
WORDS = ["emerson", "lake", "palmer"]


def _run(tf, fetches):
    names = [n.name for n in tf.get_default_graph().as_graph_def().node]
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return [session.run(fetches), names]


def strings_to_numbers(tf):
    lookup = contrib_of(tf).lookup
    words = tf.constant([["lake", "king"], ["palmer", "emerson"]])
    return _run(tf, [
        lookup.string_to_index(words, tf.constant(WORDS)),
        lookup.string_to_index(words, WORDS, default_value=7, name="mine"),
    ])  # fmt: skip


def numbers_to_strings(tf):
    lookup = contrib_of(tf).lookup
    numbers = tf.constant([[1, 9], [-1, 0]], tf.int64)
    found = _run(tf, [
        lookup.index_to_string(numbers, tf.constant(WORDS)),
        lookup.index_to_string(numbers, WORDS, "none", "mine"),
    ])  # fmt: skip
    return [found, outcome(lookup.index_to_string, tf.constant([1]), WORDS)]


def sparse_words(tf):
    lookup = contrib_of(tf).lookup
    words = tf.SparseTensor([[0, 1], [2, 0]], ["lake", "king"], [3, 2])
    found = lookup.string_to_index(words, WORDS)
    back = lookup.index_to_string(found, WORDS)
    return _run(tf, [found.indices, found.values, found.dense_shape, back.values])[0]


def older_tables(tf):
    lookup = contrib_of(tf).lookup
    words = tf.constant(["lake", "king", "queen"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "words.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(WORDS) + "\n")
        tables = [
            lookup.string_to_index_table_from_file(path, num_oov_buckets=2),
            lookup.string_to_index_table_from_file(path, vocab_size=1, default_value=-7),
            lookup.string_to_index_table_from_tensor(WORDS, 3, name="mine"),
            lookup.string_to_index_table_from_tensor(
                tf.constant(WORDS), 3, hasher_spec=lookup.StrongHashSpec([1, 2])
            ),
        ]
        found = _run(tf, [[table.lookup(words), table.size()] for table in tables])
    return [
        found,
        outcome(lookup.string_to_index_table_from_file, None),
        outcome(lookup.string_to_index_table_from_file, "there", -1),
        outcome(lookup.string_to_index_table_from_tensor, None),
        outcome(lookup.string_to_index_table_from_tensor, [1, 2]),
    ]


def wrong_tables(tf):
    lookup, contrib = tf.lookup, contrib_of(tf).lookup
    words = lookup.KeyValueTensorInitializer(["a"], [1], tf.string, tf.int64)
    table = lookup.StaticHashTable(words, -1)
    index = lookup.TextFileIndex

    def of_file(key, value, key_type, value_type, name="f", **more):
        return lambda: lookup.TextFileInitializer(name, key_type, key, value_type, value, **more)

    rows = [
        ("Signature mismatch. Keys must be dtype", lambda: table.lookup(tf.constant([1]))),
        ("Filename required for", of_file(index.WHOLE_LINE, index.LINE_NUMBER, tf.string, tf.int64,
                                          "")),
        ("Invalid key index -3.", of_file(-3, 0, tf.string, tf.int64)),
        ("Invalid value index -3.", of_file(0, -3, tf.string, tf.int64)),
        ("Signature mismatch. Keys must be dtype",
         of_file(index.LINE_NUMBER, 0, tf.string, tf.int64)),
        ("Signature mismatch. Keys must be integer or string",
         of_file(index.WHOLE_LINE, 0, tf.float32, tf.int64)),
        ("Signature mismatch. Values must be dtype",
         of_file(0, index.LINE_NUMBER, tf.string, tf.string)),
        ("Signature mismatch. Values must be dtype",
         of_file(0, index.WHOLE_LINE, tf.string, tf.int64)),
        ("Invalid vocab_size 0.", of_file(0, 1, tf.string, tf.int64, vocab_size=0)),
        ("vocabulary_file must be specified and must not be empty.",
         lambda: contrib.index_table_from_file("")),
        ("vocab_size must be greater than 0, got 0.",
         lambda: contrib.index_table_from_file("f", vocab_size=0)),
        ("num_oov_buckets must be greater or equal than 0, got -1.",
         lambda: contrib.index_table_from_file("f", num_oov_buckets=-1)),
        ("Only integer and string keys are supported.",
         lambda: contrib.index_table_from_file("f", key_dtype=tf.float32)),
        ("num_oov_buckets must be greater or equal than 0, got -1.",
         lambda: contrib.index_table_from_tensor(["a"], -1)),
        ("Only integer and string keys are supported.",
         lambda: contrib.index_table_from_tensor([1.5], dtype=tf.float32)),
        ("Expected integer, got", lambda: contrib.index_table_from_tensor(["a"], dtype=tf.int64)),
        ("Expected non-integer, got", lambda: contrib.index_table_from_tensor([1])),
        ("vocab_size must be greater than 0, got 0.",
         lambda: contrib.index_to_string_table_from_file("f", vocab_size=0)),
        ("oov_buckets must be > 0.", lambda: lookup.StaticVocabularyTable(words, 0)),
        ("key must have size 2, got 1.", lambda: contrib.StrongHashSpec([1])),
        ("Must be unsigned integer values.", lambda: contrib.StrongHashSpec(["a", 2])),
        ("hasher_spec must be of type HasherSpec",
         lambda: contrib.IdTableWithHashBuckets(table, 1, hasher_spec="fasthash")),
        ("Unknown hasher none", lambda: contrib.IdTableWithHashBuckets(
            table, 1, hasher_spec=contrib.HasherSpec("none", None)).lookup(tf.constant(["a"]))),
        ("oov_buckets must be > 0 if no table is supplied.",
         lambda: contrib.IdTableWithHashBuckets(None, 0)),
        ("Invalid key_dtype, expected integer or string",
         lambda: contrib.IdTableWithHashBuckets(None, 2, key_dtype=tf.float32)),
        ("Invalid key dtype, expected integer but got",
         lambda: contrib.IdTableWithHashBuckets(table, 2, key_dtype=tf.int64)),
        ("Invalid value dtype, expected", lambda: contrib.IdTableWithHashBuckets(
            lookup.StaticHashTable(lookup.KeyValueTensorInitializer(["a"], ["b"]), "x"), 2)),
    ]  # fmt: skip
    return [says(text, call) for text, call in rows]
