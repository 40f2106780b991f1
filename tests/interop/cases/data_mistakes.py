# SPDX-License-Identifier: Apache-2.0
"""Typical mistakes of users with data sets, records and image files: see mistakes.py."""

import os
import tempfile

from interop.cases.mistakes import mistake, run


def _next(tf, dataset):
    return run(tf, tf.data.make_one_shot_iterator(dataset).get_next())


def _file(text):
    path = os.path.join(tempfile.mkdtemp(), "train.tfrecord")
    with open(path, "wb") as file:
        file.write(text)
    return path


@mistake("data sets", "a one-shot iterator with a variable", "scale", "make_initializable_iterator")
def one_shot_variable(tf):
    scale = tf.Variable(2, dtype=tf.int64, name="scale", use_resource=True)
    tf.data.Dataset.range(3).map(lambda x: x * scale).make_one_shot_iterator()


@mistake("data sets", "a one-shot iterator with a placeholder", "count", "placeholder")
def one_shot_placeholder(tf):
    count = tf.placeholder(tf.int64, [], name="count")
    tf.data.Dataset.range(count).make_one_shot_iterator()


@mistake("data sets", "an iterator that was not initialised", "IteratorGetNext", line=True)
def not_initialised(tf):
    run(tf, tf.data.Dataset.range(3).make_initializable_iterator().get_next())


@mistake("data sets", "more elements than there are", "IteratorGetNext", line=True)
def past_the_end(tf):
    _next(tf, tf.data.Dataset.range(0))


@mistake("data sets", "a list of data sets for zip()", "zip()", "tuple")
def zip_of_list(tf):
    tf.data.Dataset.zip([tf.data.Dataset.range(3), tf.data.Dataset.range(3)])


@mistake("data sets", "a Python loop over a data set", "make_one_shot_iterator")
def python_loop(tf):
    iter(tf.data.Dataset.range(3))


@mistake("data sets", "map() with a function that returns an object", "Dataset.map()", "object")
def map_to_object(tf):
    tf.data.Dataset.range(3).map(lambda x: object())


@mistake(
    "data sets", "flat_map() with a function that returns a tensor", "flat_map()", "Dataset",
    newer="AttributeError",
)  # fmt: skip
def flat_map_to_tensor(tf):
    tf.data.Dataset.range(3).flat_map(lambda x: x)


@mistake("data sets", "filter() with a function that returns a number", "filter()", "bool")
def filter_by_number(tf):
    tf.data.Dataset.range(3).filter(lambda x: x % 2)


@mistake("data sets", "concatenate() of other dtypes", "int64", "string")
def other_dtypes(tf):
    tf.data.Dataset.range(3).concatenate(tf.data.Dataset.from_tensors("a"))


@mistake("data sets", "first sizes that differ", "2", "3")
def other_sizes(tf):
    tf.data.Dataset.from_tensor_slices(([1, 2], [1, 2, 3]))


@mistake("data sets", "a batch of other shapes", "[2]", "[1]", line=True)
def batch_of_shapes(tf):
    rows = tf.data.Dataset.from_tensor_slices([1, 2]).map(lambda n: tf.fill([n], n))
    _next(tf, rows.batch(2))


@mistake("data sets", "padded_batch() to less than an element has", "(2,)", "(5,)")
def small_padding(tf):
    tf.data.Dataset.from_tensors([1, 2, 3, 4, 5]).padded_batch(2, [2])


@mistake("data sets", "an iterator for other dtypes", "int64", "string")
def other_iterator(tf):
    iterator = tf.data.Iterator.from_structure(tf.int64, [])
    iterator.make_initializer(tf.data.Dataset.from_tensors("a"))


@mistake("data sets", "a file that is not there", "/not/there", line=True)
def missing_records(tf):
    _next(tf, tf.data.TFRecordDataset("/not/there"))


@mistake("data sets", "a file of another format", "corrupted record", line=True)
def other_format(tf):
    _next(tf, tf.data.TFRecordDataset(_file(b"id,label\n" * 20)))


@mistake("data sets", "a wrong option", "experimental_determinism")
def wrong_option(tf):
    tf.data.Options().experimental_determinism = True


@mistake("data sets", "a Python generator of other elements", "shape (2,)")
def python_generator(tf):
    _next(tf, tf.data.Dataset.from_generator(lambda: iter([[1, 2]]), tf.int32, [3]))


@mistake("records", "an Example without a feature", "label", line=True)
def missing_feature(tf):
    text = tf.train.Example().SerializeToString()
    run(tf, tf.parse_single_example(text, {"label": tf.FixedLenFeature([], tf.int64)}))


@mistake("records", "bytes that are not an Example", "parse", line=True)
def not_an_example(tf):
    run(tf, tf.parse_example([b"text"], {"label": tf.VarLenFeature(tf.int64)}))


@mistake("records", "a feature of unknown size", "label", "FixedLenSequenceFeature")
def unknown_size(tf):
    tf.parse_example([b""], {"label": tf.FixedLenFeature([None], tf.int64)})


@mistake("records", "a feature of another kind", "label", "int64")
def not_a_feature(tf):
    tf.parse_example([b""], {"label": tf.int64})


@mistake("records", "a CSV line with a missing field", "2", "1", line=True)
def missing_field(tf):
    run(tf, tf.decode_csv(["1"], [[0], [0]]))


@mistake("records", "a file for the client that is damaged", "corrupted record at 0")
def damaged_file(tf):
    list(tf.python_io.tf_record_iterator(_file(b"id,label\n" * 20)))


@mistake("images", "bytes that are not an image", "DecodeJpeg", line=True)
def not_an_image(tf):
    run(tf, tf.image.decode_jpeg(b"text"))


@mistake("images", "a float image for a JPEG file", "float32", "uint8")
def float_jpeg(tf):
    tf.image.encode_jpeg(tf.zeros([2, 2, 3]))
