# SPDX-License-Identifier: Apache-2.0
"""Vocabularies by the functions that only 1.x's contrib has."""

import os
import tempfile

from interop.programs.client._outcomes import outcome

ONLY_1X = True
WORDS = ["emerson", "lake", "palmer"]


def _contrib(tf):
    if hasattr(tf, "contrib"):
        return tf.contrib.lookup
    from tensorflow.contrib import lookup

    return lookup


def _run(tf, fetches):
    names = [n.name for n in tf.get_default_graph().as_graph_def().node]
    with tf.Session() as session:
        session.run(tf.tables_initializer())
        return [session.run(fetches), names]


def strings_to_numbers(tf):
    lookup = _contrib(tf)
    words = tf.constant([["lake", "king"], ["palmer", "emerson"]])
    return _run(tf, [
        lookup.string_to_index(words, tf.constant(WORDS)),
        lookup.string_to_index(words, WORDS, default_value=7, name="mine"),
    ])  # fmt: skip


def numbers_to_strings(tf):
    lookup = _contrib(tf)
    numbers = tf.constant([[1, 9], [-1, 0]], tf.int64)
    found = _run(tf, [
        lookup.index_to_string(numbers, tf.constant(WORDS)),
        lookup.index_to_string(numbers, WORDS, "none", "mine"),
    ])  # fmt: skip
    return [found, outcome(lookup.index_to_string, tf.constant([1]), WORDS)]


def sparse_words(tf):
    lookup = _contrib(tf)
    words = tf.SparseTensor([[0, 1], [2, 0]], ["lake", "king"], [3, 2])
    found = lookup.string_to_index(words, WORDS)
    back = lookup.index_to_string(found, WORDS)
    return _run(tf, [found.indices, found.values, found.dense_shape, back.values])[0]


def older_tables(tf):
    lookup = _contrib(tf)
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
