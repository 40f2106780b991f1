# SPDX-License-Identifier: Apache-2.0
"""Ragged tensors: made, changed, fetched and fed; strings cut into parts."""

import numpy as np

from interop.programs.client._outcomes import outcome


def _ran(tf, *found, feed=None):
    with tf.Session() as sess:
        return [_plain(value) for value in sess.run(list(found), feed)]


def _plain(value):
    """A RaggedTensorValue as its rows and the dtypes of its parts."""
    if hasattr(value, "row_splits"):
        flat = value.flat_values
        splits = [s.tolist() for s in value.nested_row_splits]
        return [value.to_list(), flat.dtype.name, splits, value.row_splits.dtype.name]
    return value


def made(tf):
    r = tf.RaggedTensor
    found = [
        r.from_row_splits([1, 2, 3, 4], [0, 2, 2, 4]),
        r.from_row_lengths(["a", "b"], tf.constant([0, 1, 1], tf.int32)),
        r.from_row_starts([1.5, 2.5, 3.5], [0, 0, 2]),
        r.from_row_limits([1, 2, 3], [1, 3]),
        r.from_value_rowids([1, 2, 3], [0, 2, 2]),
        r.from_value_rowids([1, 2, 3], [0, 2, 2], nrows=5),
        r.from_nested_row_splits([1, 2, 3, 4], [[0, 1, 3], [0, 2, 2, 4]]),
        r.from_nested_row_lengths([[1, 2], [3, 4]], [[1, 1], [0, 2]]),
        r.from_tensor([[1, 2, 0], [3, 0, 0]]),
        r.from_tensor([[1, 2, 0], [3, 0, 0]], padding=0),
        r.from_tensor([[1, 2, 0], [3, 0, 0]], lengths=[2, 3]),
        r.from_tensor(np.arange(12).reshape(2, 3, 2), ragged_rank=2),
        r.from_sparse(tf.SparseTensor([[0, 0], [0, 1], [2, 0]], [7, 8, 9], [4, 3])),
    ]
    ranks = [[f.ragged_rank, f.dtype.name, f.shape.ndims] for f in found]
    return [_ran(tf, *found), ranks]


def constants(tf):
    found = [
        tf.ragged.constant([[1, 2], [], [3]]),
        tf.ragged.constant([["a"], ["b", "c"]]),
        tf.ragged.constant([[[1.5], []], [], [[2.5, 3.5]]]),
        tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1),
        tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], inner_shape=(2,), dtype=tf.int64),
        tf.ragged.constant([[], []], tf.float32),
        tf.ragged.constant([[1]], row_splits_dtype=tf.int32),
        tf.ragged.range([3, 0, 2]),
        tf.ragged.range([1, 5], [4, 0], [1, -2]),
        tf.ragged.range(tf.constant([0.5]), 2.0),
    ]
    value = tf.ragged.constant_value([[1, 2], [3]])
    more = [value.to_list(), value.row_splits.tolist(), value.ragged_rank, list(value.shape)]
    return [_ran(tf, *found), more]


def parts(tf):
    x = tf.ragged.constant([[1, 2], [], [3, 4, 5]])
    deep = tf.ragged.constant([[[1], [2, 3]], [], [[4]]])
    found = [
        x.values, x.row_splits, x.nrows(), x.row_starts(), x.row_limits(), x.row_lengths(),
        x.value_rowids(), x.bounding_shape(), deep.bounding_shape(), deep.flat_values,
        *deep.nested_row_splits, *deep.nested_row_lengths(), x.nrows(tf.int32),
        x.with_values(tf.constant(list("abcde"))), deep.with_flat_values(tf.constant([9, 8, 7, 6])),
        x.with_row_splits_dtype(tf.int32), x.to_tensor(), x.to_tensor(-1), deep.to_tensor(),
        tf.ragged.constant([["a"], []]).to_tensor("?"), x[0], x[-1], x[1:], x[:2], x[0:-1],
        deep[2], x.bounding_shape(axis=1),
        tf.ragged.row_splits_to_segment_ids([0, 2, 2, 5]),
        tf.ragged.segment_ids_to_row_splits([0, 0, 3, 3]),
        tf.ragged.segment_ids_to_row_splits([0, 0, 3, 3], 6),
    ]  # fmt: skip
    sparse = deep.to_sparse()
    found += [sparse.indices, sparse.values, sparse.dense_shape]
    return _ran(tf, *found)


def arithmetic(tf):
    x = tf.ragged.constant([[1.0, 2.0], [], [3.0]])
    found = [x + 1.0, 2.0 * x, x * x, x - x, -x, x / 2.0, 1.0 - x, abs(-x), x > 1.5]
    found.append(tf.ragged.map_flat_values(tf.square, x))
    found.append(tf.ragged.map_flat_values(tf.multiply, x, 3.0))
    gradient = tf.gradients(tf.reduce_sum((x * x).to_tensor()), x.flat_values)
    return _ran(tf, *found, tf.convert_to_tensor(gradient[0]))


def feeds(tf):
    x = tf.ragged.placeholder(tf.float32, 1, [])
    deep = tf.ragged.placeholder(tf.int32, 2, name="deep")
    value = tf.ragged.constant_value([[1.0], [2.0, 3.0]], dtype=np.float32)
    nested = tf.ragged.constant_value([[[1], [2]], [[3, 4]]], dtype=np.int32)
    return _ran(tf, x + 1.0, deep, x.to_tensor(), feed={x: value, deep: nested})


def strings(tf):
    words = tf.constant(["hello", "", "w\u00f6rld"])
    ragged = tf.ragged.constant([["ab", "c"], [], ["\u00e9"]])
    found = [
        tf.strings.bytes_split(words),
        tf.strings.bytes_split("abc"),
        tf.strings.bytes_split(ragged),
        tf.strings.bytes_split([["ab"], ["c"]]),
        tf.strings.unicode_decode(words, "UTF-8"),
        tf.strings.unicode_decode("w\u00f6", "UTF-8"),
        tf.strings.unicode_decode(ragged, "UTF-8"),
        tf.strings.unicode_decode([["ab"], ["c"]], "UTF-8"),
        *tf.strings.unicode_decode_with_offsets(words, "UTF-8"),
        *tf.strings.unicode_decode_with_offsets("\u00f6x", "UTF-8"),
        tf.strings.unicode_split(words, "UTF-8"),
        tf.strings.unicode_split(ragged, "UTF-8"),
        *tf.strings.unicode_split_with_offsets(words, "UTF-8"),
        tf.strings.unicode_decode([b"a\xffb"], "UTF-8", replacement_char=63),
        tf.strings.unicode_decode([b"a\xffb"], "UTF-8", errors="ignore"),
        tf.strings.unicode_encode([[104, 105], [33, 0x20AC]], "UTF-8"),
        tf.strings.unicode_encode([104, 105], "UTF-16-BE"),
        tf.strings.unicode_encode(tf.ragged.constant([[104], [], [105, 33]]), "UTF-8"),
    ]
    return _ran(tf, *found)


def ngrams(tf):
    x = tf.ragged.constant([["a", "b", "c"], ["d"], [], ["e", "f"]])
    found = [
        tf.strings.ngrams(x, 2),
        tf.strings.ngrams(x, [1, 3], separator="|"),
        tf.strings.ngrams(x[:2], 2, pad_values="_"),
        tf.strings.ngrams(x[:2], 3, pad_values=("<", ">"), padding_width=1),
        tf.strings.ngrams(x, 3, preserve_short_sequences=True),
        tf.strings.ngrams(["a", "b", "c"], 2),
        tf.strings.ngrams([["a", "b", "c"], ["d", "e", "f"]], 2),
        tf.strings.ngrams(tf.ragged.constant([[["a", "b"], ["c"]], []]), 1),
    ]
    return _ran(tf, *found)


def mistakes(tf):
    x = tf.ragged.constant([[1], [2, 3]])
    calls = [
        lambda: tf.RaggedTensor.from_tensor([1, 2]),
        lambda: tf.RaggedTensor.from_tensor([[1, 2]], lengths=[1], padding=0),
        lambda: tf.RaggedTensor.from_sparse(tf.constant([[1]])),
        lambda: tf.ragged.constant(5, ragged_rank=1),
        lambda: tf.ragged.constant([[1], 2]),
        lambda: tf.ragged.constant([[1]], ragged_rank=2),
        lambda: tf.strings.ngrams(x, 0),
        lambda: tf.strings.ngrams(["a"], 2, pad_values=3),
        lambda: tf.strings.ngrams(["a"], 2, padding_width=1),
        lambda: tf.strings.ngrams("a", 2),
        lambda: tf.strings.unicode_encode(5, "UTF-8"),
        lambda: tf.strings.unicode_decode(tf.placeholder(tf.string), "UTF-8"),
    ]
    found = [outcome(call) for call in calls]
    splits = tf.placeholder(tf.int64, [None])
    checked = tf.RaggedTensor.from_row_splits([1, 2], splits)
    rows = tf.RaggedTensor.from_value_rowids([1, 2], splits)
    with tf.Session() as sess:
        for value in ([0, 2], [1, 2], [0, 2, 1], [0, 1]):
            found.append(outcome(sess.run, checked.row_splits, {splits: value}))
        for value in ([0, 1], [1, 0], [-1, 0], [0]):
            found.append(outcome(sess.run, rows.row_splits, {splits: value}))
    return found
