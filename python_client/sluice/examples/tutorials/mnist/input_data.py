# SPDX-License-Identifier: Apache-2.0
"""Reads the MNIST images and gives them in batches.

    from sluice.examples.tutorials.mnist import input_data
    mnist = input_data.read_data_sets("MNIST_data", one_hot=True)
    images, labels = mnist.train.next_batch(100)
"""

import collections
import gzip
import os

import numpy as np

from .... import dtypes
from ....files import gfile
from ....graph.seeds import get_seed
from ....keras.base.downloads import get_file

_SOURCE = "https://storage.googleapis.com/cvdf-datasets/mnist/"
_CLASSES = 10
_OF_IMAGES, _OF_LABELS = 2051, 2049  # the first number of a file says what it has

Datasets = collections.namedtuple("Datasets", ["train", "validation", "test"])


def _read(f, first, what, dimensions):
    print("Extracting", f.name)
    with gzip.GzipFile(fileobj=f) as file:
        head = np.frombuffer(file.read(4 + 4 * dimensions), ">u4")
        if head[0] != first:
            raise ValueError(f"Invalid magic number {head[0]} in MNIST {what} file: {f.name}")
        shape = head[1:].tolist()
        return np.frombuffer(file.read(int(np.prod(shape))), np.uint8).reshape(shape)


def extract_images(f):
    """Reads a file of images.

    Args:
        f: The file, compressed, opened to read bytes.

    Returns:
        A uint8 array, [images, rows, columns, 1].

    Raises:
        ValueError: The file has no images.
    """
    return _read(f, _OF_IMAGES, "image", 3)[..., np.newaxis]


def dense_to_one_hot(labels_dense, num_classes):
    """Makes one-hot vectors of classes.

    Args:
        labels_dense: An int array of classes.
        num_classes: How many classes there are, an int.

    Returns:
        A float64 array, [labels, num_classes].
    """
    return np.eye(num_classes)[np.ravel(labels_dense)]


def extract_labels(f, one_hot=False, num_classes=_CLASSES):
    """Reads a file of labels.

    Args:
        f: The file, compressed, opened to read bytes.
        one_hot: Whether a label is a one-hot vector. A bool.
        num_classes: How many classes there are, an int.

    Returns:
        A uint8 array, [labels], or a float64 array, [labels, num_classes].

    Raises:
        ValueError: The file has no labels.
    """
    labels = _read(f, _OF_LABELS, "label", 1)
    return dense_to_one_hot(labels, num_classes) if one_hot else labels


class DataSet:
    """Images and their labels, which next_batch() gives in a random order.

    Args:
        images: A uint8 array, [images, rows, columns, 1].
        labels: An array with a row for each image.
        fake_data: Whether batches have made-up images instead. A bool.
        one_hot: Whether the labels of made-up images are one-hot vectors. A bool.
        dtype: uint8; or float32: the images are scaled to [0, 1].
        reshape: Whether an image becomes a row, [rows * columns]. A bool.
        seed: Seed of the order, an int. None: that of the default graph.

    Raises:
        TypeError: The dtype is another one.
    """

    def __init__(self, images, labels, fake_data=False, one_hot=False, dtype=dtypes.float32,
                 reshape=True, seed=None):  # fmt: skip
        of_graph, of_op = get_seed(seed)
        if seed is not None:
            np.random.seed(of_op)
        else:  # (0, 0): neither has a seed
            np.random.seed(of_graph if (of_graph, of_op) != (0, 0) else None)
        dtype = dtypes.as_dtype(dtype).base_dtype
        if dtype not in (dtypes.uint8, dtypes.float32):
            raise TypeError(f"Invalid image dtype {dtype!r}, expected uint8 or float32")
        self._fake, self.one_hot = fake_data, one_hot
        self._num_examples = 10000 if fake_data else len(images)
        if not fake_data:
            assert len(images) == len(labels), f"{len(images)} images, {len(labels)} labels"
            if reshape:
                assert images.shape[3] == 1
                images = images.reshape(len(images), -1)
            if dtype == dtypes.float32:
                images = images.astype(np.float32) * np.float32(1 / 255)
        self._images, self._labels = images, labels
        self._epochs_completed = self._index_in_epoch = 0

    @property
    def images(self):
        """The images, an array in the order of the batches."""
        return self._images

    @property
    def labels(self):
        """The labels of `images`, an array."""
        return self._labels

    @property
    def num_examples(self):
        """How many images there are, an int."""
        return self._num_examples

    @property
    def epochs_completed(self):
        """How often all images were given, an int."""
        return self._epochs_completed

    def _shuffle(self):
        order = np.arange(self._num_examples)
        np.random.shuffle(order)
        self._images, self._labels = self._images[order], self._labels[order]

    def next_batch(self, batch_size, fake_data=False, shuffle=True):
        """Returns the next images; after the last one, the first ones again.

        Args:
            batch_size: How many, an int.
            fake_data: Whether the images are made up. A bool.
            shuffle: Whether each epoch has an order of its own. A bool.

        Returns:
            Two arrays: images and labels.
        """
        if fake_data:
            label = [1] + [0] * (_CLASSES - 1) if self.one_hot else 0
            return [[1] * 784 for _ in range(batch_size)], [label for _ in range(batch_size)]
        start = self._index_in_epoch
        if shuffle and start == 0 and self._epochs_completed == 0:
            self._shuffle()
        images, labels = self._part(start, start + batch_size)
        if start + batch_size <= self._num_examples:
            self._index_in_epoch += batch_size
            return images, labels
        self._epochs_completed += 1
        if shuffle:
            self._shuffle()
        self._index_in_epoch = start + batch_size - self._num_examples
        more = self._part(0, self._index_in_epoch)
        return np.concatenate([images, more[0]]), np.concatenate([labels, more[1]])

    def _part(self, start, end):
        return self._images[start:end], self._labels[start:end]


def _opened(folder, name, source):
    path = os.path.join(folder, name)
    if not gfile.Exists(path):
        get_file(name, source + name, cache_subdir="", cache_dir=os.path.abspath(folder))
    return gfile.GFile(path, "rb")


def read_data_sets(train_dir, fake_data=False, one_hot=False, dtype=dtypes.float32, reshape=True,
                   validation_size=5000, seed=None, source_url=_SOURCE):  # fmt: skip
    """Reads the images and labels of MNIST; files that are not there it downloads.

    Args:
        train_dir: The folder of the files, a str.
        fake_data: Whether the data sets have made-up images. A bool.
        one_hot: Whether a label is a one-hot vector. A bool.
        dtype: uint8; or float32: the images are scaled to [0, 1].
        reshape: Whether an image becomes a row of 784 numbers. A bool.
        validation_size: How many images of training are for validation, an int.
        seed: Seed of the order, an int. None: that of the default graph.
        source_url: Where the files are downloaded from, a str.

    Returns:
        A Datasets, which has a DataSet each for train, validation and test.

    Raises:
        OSError: A file cannot be downloaded.
        ValueError: A file has something else, or there are fewer images than validation_size.
    """
    options = {"dtype": dtype, "seed": seed}
    if fake_data:
        made = [DataSet([], [], fake_data=True, one_hot=one_hot, **options) for _ in range(3)]
        return Datasets(*made)
    read = []
    for name in ("train", "t10k"):
        with _opened(train_dir, f"{name}-images-idx3-ubyte.gz", source_url or _SOURCE) as file:
            read.append(extract_images(file))
        with _opened(train_dir, f"{name}-labels-idx1-ubyte.gz", source_url or _SOURCE) as file:
            read.append(extract_labels(file, one_hot))
    images, labels, test_images, test_labels = read
    size = validation_size
    if not 0 <= size <= len(images):
        raise ValueError(
            f"Validation size should be between 0 and {len(images)}. Received: {size}."
        )
    parts = (images[size:], labels[size:]), (images[:size], labels[:size])
    return Datasets(
        *(DataSet(*part, reshape=reshape, **options) for part in parts),
        DataSet(test_images, test_labels, reshape=reshape, **options),
    )
