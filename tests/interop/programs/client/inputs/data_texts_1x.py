# SPDX-License-Identifier: Apache-2.0
"""What wrong data sets and descriptions of features say when the graph is made."""

import os
import tempfile

import numpy as np

from interop.programs.client._outcomes import outcome, says

ONLY_1X = True


def _said(*rows):
    """Of each (text, call): the class of the error, and whether its message has the text."""
    return [says(text, call) for text, call in rows]


def _sets(tf):
    return tf.data.Dataset.range(6), tf.data.Dataset.from_tensors("a")


def sources(tf):
    data = tf.data.Dataset
    return _said(
        ("Invalid arguments to RangeDataset", lambda: data.range(1, 2, 3, 4)),
        ("has insufficient rank for batching.",
         lambda: data.from_tensor_slices(3)),
        ("are not compatible", lambda: data.from_tensor_slices(([1, 2], [1, 2, 3]))),
        ("`sparse_tensor` must be a `tf.SparseTensor` object.",
         lambda: data.from_sparse_tensor_slices([1])),
        ("`generator` must be callable.", lambda: data.from_generator(3, tf.int64)),
        ("nested structure of `Dataset` objects.", lambda: data.zip((data.range(2), 3))),
        ("Nested structures do not support Python lists; please use a tuple instead.",
         lambda: data.zip([data.range(2), data.range(3)])),
        ("`filenames` must be a `tf.data.Dataset` of `tf.string` elements.",
         lambda: tf.data.TFRecordDataset(data.range(2))),
        ("`filenames` must be a `tf.data.Dataset` of scalar `tf.string` elements.",
         lambda: tf.data.TextLineDataset(data.from_tensors(["a", "b"]))),
    )  # fmt: skip


def transformations(tf):
    numbers, words = _sets(tf)
    experimental = tf.data.experimental
    pairs = tf.data.Dataset.zip((numbers, numbers))
    return _said(
        ("Two datasets to concatenate have different types", lambda: numbers.concatenate(words)),
        ("Two datasets to concatenate have different types", lambda: numbers.concatenate(pairs)),
        ("Unsupported return value from function passed to Dataset.map(): None.",
         lambda: numbers.map(lambda x: None)),
        ("Unsupported return value from function passed to Dataset.flat_map()",
         lambda: numbers.flat_map(lambda x: None)),
        ("`map_func` must return a `Dataset` object.", lambda: numbers.flat_map(lambda x: x)),
        ("`map_func` must return a `Dataset` object.",
         lambda: numbers.interleave(lambda x: x, cycle_length=2)),
        ("`map_func` must return a `Dataset` object.",
         lambda: numbers.apply(experimental.parallel_interleave(lambda x: x, 2))),
        ("`predicate` return type must be convertible to a scalar boolean tensor.",
         lambda: numbers.filter(lambda x: x)),
        ("`transformation_func` must return a Dataset.", lambda: numbers.apply(lambda d: 3)),
        ("insufficient rank for batching.",
         lambda: numbers.apply(experimental.unbatch())),
        ("", lambda: tf.data.Dataset.from_tensors(([1, 2], [1, 2, 3])).apply(
            experimental.unbatch())),
        ("arguments are mutually exclusive.", lambda: numbers.apply(
            experimental.map_and_batch(lambda x: x, 2, 2, num_parallel_calls=2))),
        ("",
         lambda: pairs.apply(experimental.dense_to_sparse_batch(2, [3]))),
        ("", lambda: numbers.batch(2).apply(experimental.dense_to_sparse_batch(2, [[3]]))),
        ("only supports inputs with a single `tf.int32`, `tf.int64`, or `tf.string` component.",
         lambda: pairs.apply(experimental.unique())),
        ("`choice_dataset` must be a dataset of scalar `tf.int64` tensors.",
         lambda: experimental.choose_from_datasets([numbers, numbers], words)),
        ("All datasets must have the same type and class.",
         lambda: experimental.choose_from_datasets([numbers, words], numbers)),
        ("`weights` must be a vector of length `len(datasets)`.",
         lambda: experimental.sample_from_datasets([numbers, numbers], [1.0])),
        ("must be convertible to a tensor of `tf.float32` or `tf.float64` elements.",
         lambda: experimental.sample_from_datasets([numbers, numbers], [1, 2])),
        ("`dataset` must be a `tf.data.Dataset` object.",
         lambda: experimental.get_single_element(3)),
        ("`dataset` must produce scalar `DT_STRING` tensors",
         lambda: experimental.TFRecordWriter("x").write(numbers)),
    )  # fmt: skip


def states(tf):
    numbers, _ = _sets(tf)
    experimental = tf.data.experimental
    zero = np.int64(0)
    return _said(
        ("The element types for the new state must match the initial state.",
         lambda: numbers.reduce(zero, lambda s, x: tf.constant("a"))),
        ("The element types for the new state must match the initial state.",
         lambda: numbers.apply(experimental.scan(zero, lambda s, x: (tf.constant("a"), x)))),
        ("The scan function must return a pair comprising the new state and the output value.",
         lambda: numbers.apply(experimental.scan(zero, lambda s, x: s))),
        ("The element types for the new state must match the initial state.",
         lambda: numbers.apply(experimental.group_by_reducer(
             lambda x: x, experimental.Reducer(
                 lambda k: zero, lambda s, x: tf.constant(True), lambda s: s)))),
        ("`key_func` must return a single tf.int64 tensor. Got type=",
         lambda: numbers.apply(experimental.group_by_reducer(
             lambda x: tf.stack([x, x]), experimental.Reducer(
                 lambda k: zero, lambda s, x: s, lambda s: s)))),
        ("Must pass either window_size or window_size_func.",
         lambda: experimental.group_by_window(lambda x: x, lambda k, w: w)),
        ("`key_func` must return a single tf.int64 scalar tensor.",
         lambda: numbers.apply(experimental.group_by_window(
             lambda x: tf.stack([x, x]), lambda k, w: w, 2))),
        ("`reduce_func` must return a `Dataset` object.",
         lambda: numbers.apply(experimental.group_by_window(lambda x: x, lambda k, w: k, 2))),
        ("`window_size_func` must return a single tf.int64 scalar tensor.",
         lambda: numbers.apply(experimental.group_by_window(
             lambda x: x, lambda k, w: w, window_size_func=lambda k: tf.stack([k, k])))),
        ("len(bucket_batch_sizes) must equal len(bucket_boundaries) + 1",
         lambda: experimental.bucket_by_sequence_length(lambda x: 1, [2, 3], [4, 5])),
    )  # fmt: skip


def paddings(tf):
    numbers, words = _sets(tf)
    row = tf.data.Dataset.from_tensors([1, 2, 3])
    pair = tf.data.Dataset.zip((row, row))
    sparse = tf.SparseTensorValue(indices=[[0, 0]], values=[42], dense_shape=[1, 1])
    found = _said(
        ("The padded shape (1,) is not compatible with the corresponding input component shape"
         " ().", lambda: numbers.padded_batch(5, [1])),
        ("The padded shape (1,) is not compatible with the corresponding input component shape"
         " (3,).", lambda: row.padded_batch(5, [1])),
        ("must be a 1-D tensor of tf.int64 values, but its shape was (2, 2).",
         lambda: row.padded_batch(5, [[1, 1], [1, 1]])),
        ("must be a 1-D tensor of tf.int64 values, but its element type was float32.",
         lambda: row.padded_batch(5, tf.constant([1.5, 2.0, 3.0]))),
        ("must be a 1-D tensor of tf.int64 values, but its element type was float32.",
         lambda: row.padded_batch(2, [2.5])),
        ("The padded shape (1,) is not compatible with the corresponding input component shape"
         " ().", lambda: numbers.padded_batch(5, tf.constant([1], tf.int64))),
        ("The padded shape (?, ?) is not compatible with the corresponding input component shape"
         " ().", lambda: numbers.padded_batch(5, tf.placeholder(tf.int64, [2]))),
        ("Batching of padded sparse tensors is not currently supported",
         lambda: tf.data.Dataset.from_tensors(sparse).padded_batch(10, [None])),
        ("Padding value should be a scalar, but is not",
         lambda: row.padded_batch(2, [None], [1, 2])),
        ("does not match output type", lambda: row.padded_batch(2, [None], 0.5)),
        ("If shallow structure is a sequence, input must also be a sequence.",
         lambda: pair.padded_batch(2, 3)),
        ("The two structures don't have the same sequence length.",
         lambda: pair.padded_batch(2, ([None], [None], [None]))),
        ("If shallow structure is a sequence, input must also be a sequence.",
         lambda: pair.padded_batch(2, [[None], [None]])),
        ("The two structures don't have the same keys.",
         lambda: pair.map(lambda x, y: {"x": x, "y": y}).padded_batch(
             2, {"x": [None], "z": [None]})),
    )  # fmt: skip
    return [found, outcome(lambda: row.padded_batch(2, [3.0]))]


def options(tf):
    numbers, _ = _sets(tf)
    one, other = tf.data.Options(), tf.data.Options()
    one.experimental_deterministic, other.experimental_deterministic = False, True

    def put(name, value):
        setattr(tf.data.Options(), name, value)

    return _said(
        ("Cannot set the property experimental_none on Options.",
         lambda: put("experimental_none", True)),
        ('Property "experimental_deterministic" must be of type',
         lambda: put("experimental_deterministic", "x")),
        ("Cannot merge incompatible values",
         lambda: numbers.with_options(one).with_options(other)),
        ("Incompatible options type", lambda: numbers.with_options(None)),
        ("Incompatible options type",
         lambda: numbers.with_options(tf.data.experimental.ThreadingOptions())),
    )  # fmt: skip


def iterators(tf):
    numbers, words = _sets(tf)
    scale = tf.get_variable("scale", [], tf.int64, use_resource=True)
    make = tf.data.Iterator.from_structure
    return _said(
        ("Failed to create a one-shot iterator for a dataset.",
         lambda: numbers.map(lambda x: x * scale).make_one_shot_iterator()),
        ("Iterator does not have an initializer.",
         lambda: numbers.make_one_shot_iterator().initializer),
        ("Expected output types", lambda: make(tf.int64, []).make_initializer(words)),
        ("Expected output shapes compatible with",
         lambda: make(tf.int64, [2]).make_initializer(numbers)),
        ("Expected output classes",
         lambda: make(tf.int64, [], tf.SparseTensor).make_initializer(numbers)),
        ("The two structures don't have the same nested structure.",
         lambda: make((tf.int64, tf.int64)).make_initializer(numbers)),
    )  # fmt: skip


def tables_of_rows(tf):
    make = tf.data.experimental.make_csv_dataset
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("a.csv", "b.csv", "c.csv", "d.csv")]
        for path, text in zip(paths, ("x,y\n1,2\n", "x,z\n1,2\n", "", "x,x\n1,2\n3,4,5\n")):
            with open(path, "w") as file:
                file.write(text)

        def of(*names, **more):
            return lambda: make([os.path.join(folder, n) for n in names], 1, **more)

        return _said(
            ("Cannot infer column names without a header line.", of("a.csv", header=False)),
            ("Cannot have duplicate column names.", of("d.csv")),
            ("Files have different column names in the header row.", of("a.csv", "b.csv")),
            ("Received StopIteration when reading the header line of", of("c.csv")),
            ("CSV row has different number of fields than expected.",
             of("d.csv", column_names=["x", "y"])),
            ("`label_name` provided must be one of the columns.", of("a.csv", label_name="z")),
            ("specified in select_columns not a valid column index or name.",
             of("a.csv", select_columns=["z"])),
            ("specified in select_columns out of valid range.", of("a.csv", select_columns=[2])),
            ("select_columns contains duplicate columns", of("a.csv", select_columns=[0, "x"])),
            ("column_defaults and select_columns must have same length.",
             of("a.csv", select_columns=[0], column_defaults=[1, 2])),
            ("No files match", of("none*.csv")),
            ("is not supported for probing columns", of("a.csv", compression_type="ZLIB")),
        )  # fmt: skip


def features(tf):
    io = tf.io
    fixed, sequence = io.FixedLenFeature, io.FixedLenSequenceFeature

    def batch(feature):
        return lambda: io.parse_example([b""], {"x": feature})

    return _said(
        ("Missing: features was None.", lambda: io.parse_example([b""], None)),
        ("Missing type for feature x.", batch(io.VarLenFeature(None))),
        ("Missing shape for feature x.", batch(fixed(None, tf.int64))),
        ("First dimension of shape for feature x unknown.", batch(fixed([None], tf.int64))),
        ("All dimensions of shape for feature x need to be known but received",
         batch(fixed([2, None], tf.int64))),
        ("FixedLenSequenceFeature requires allow_missing to be True.",
         batch(sequence([], tf.int64))),
        ("Missing index_key for SparseFeature", batch(io.SparseFeature(None, "v", tf.int64, 3))),
        ("Missing value_key for SparseFeature", batch(io.SparseFeature("i", None, tf.int64, 3))),
        ("Conflicting type", batch(io.SparseFeature("i", "i", tf.string, 3))),
        ("Invalid feature x:", batch(3)),
        ("Unsupported FixedLenFeature", lambda: io.parse_single_sequence_example(
            b"", None, {"x": fixed([], tf.int64)})),
        ("Missing features.", lambda: io.parse_single_sequence_example(b"")),
        ("Dense and sparse keys must not intersect", lambda: io.parse_example(
            [b""], {"i": fixed([], tf.int64), "s": io.SparseFeature("i", "v", tf.int64, 3)})),
        ("select_cols is not strictly increasing.",
         lambda: tf.io.decode_csv(["1,2"], [[1], [2]], select_cols=[1, 0])),
        ("select_cols contains negative values.",
         lambda: tf.io.decode_csv(["1,2"], [[1], [2]], select_cols=[-1, 0])),
        ("Length of select_cols and record_defaults do not match.",
         lambda: tf.io.decode_csv(["1,2"], [[1]], select_cols=[0, 1])),
    )  # fmt: skip


def generators(tf):
    def told(generator, types, shapes=None):
        element = tf.data.Dataset.from_generator(generator, types, shapes)
        with tf.Session() as session:
            try:
                session.run(element.make_initializable_iterator().initializer)
                iterator = element.make_initializable_iterator()
                session.run(iterator.initializer)
                session.run(iterator.get_next())
                return "fine"
            except tf.errors.OpError as error:
                texts = [
                    "The expected structure was", "but the yielded element was",
                    "could not be converted to the expected type. The expected type was",
                    "`generator` yielded an element of shape (2,) where an element of shape (3,)"
                    " was expected.",
                ]  # fmt: skip
                return [type(error).__name__, *(text in error.message for text in texts)]

    return [
        told(lambda: iter([(1, 2, 3)]), (tf.int64, tf.int64)),
        told(lambda: iter([1]), (tf.int64, tf.int64)),
        told(lambda: iter(["a"]), tf.int64),
        told(lambda: iter([[1, 2]]), tf.int64, [3]),
        told(lambda: iter([[1, 2]]), tf.int64, [2]),
        told(lambda: iter([{"a": 1}]), {"a": tf.int64, "b": tf.int64}),
    ]
