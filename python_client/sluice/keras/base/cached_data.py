# SPDX-License-Identifier: Apache-2.0
"""Well-known sets of data: what the cache has, else what is downloaded."""

import gzip
import json
import os
import pickle

import numpy as np

from . import settings
from .downloads import get_file

_GOOGLE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
_CIFAR = "https://www.cs.toronto.edu/~kriz/"


def _images(x):
    return x.transpose(0, 2, 3, 1) if settings.image_data_format() == "channels_last" else x


def load_mnist(path="mnist.npz"):
    """Loads the 28 x 28 images of digits of MNIST.

    Args:
        path: Name of the file in the cache, a str.

    Returns:
        Two pairs of arrays: images and labels for training, images and labels for tests.
    """
    path = get_file(path, _GOOGLE + "mnist.npz")
    with np.load(path, allow_pickle=True) as found:
        return (found["x_train"], found["y_train"]), (found["x_test"], found["y_test"])


def load_boston_housing(path="boston_housing.npz", test_split=0.2, seed=113):
    """Loads the prices of houses in Boston.

    Args:
        path: Name of the file in the cache, a str.
        test_split: Which part of the data is for tests, a float.
        seed: Seed of the order, an int.

    Returns:
        Two pairs of arrays: data and prices for training, data and prices for tests.
    """
    path = get_file(path, _GOOGLE + "boston_housing.npz")
    with np.load(path, allow_pickle=True) as found:
        x, y = found["x"], found["y"]
    order = np.arange(len(x))
    np.random.RandomState(seed).shuffle(order)
    x, y, at = x[order], y[order], int(len(x) * (1 - test_split))
    return (x[:at], y[:at]), (x[at:], y[at:])


def load_fashion_mnist():
    """Loads the 28 x 28 images of clothes of Fashion-MNIST.

    Returns:
        Two pairs of arrays: images and labels for training, images and labels for tests.
    """
    found = []
    for kind in ("train", "t10k"):
        files = [f"{kind}-labels-idx1-ubyte.gz", f"{kind}-images-idx3-ubyte.gz"]
        paths = [
            get_file(f, _GOOGLE + f, cache_subdir=os.path.join("datasets", "fashion-mnist"))
            for f in files
        ]
        with gzip.open(paths[0], "rb") as file:
            labels = np.frombuffer(file.read(), np.uint8, offset=8)
        with gzip.open(paths[1], "rb") as file:
            images = np.frombuffer(file.read(), np.uint8, offset=16).reshape(len(labels), 28, 28)
        found.append((images, labels))
    return tuple(found)


def _cifar_file(path, label):
    with open(path, "rb") as file:
        found = pickle.load(file, encoding="bytes")
    return found[b"data"].reshape(-1, 3, 32, 32), found[label.encode()]


def load_cifar10():
    """Loads the 32 x 32 images of 10 classes of CIFAR-10.

    Returns:
        Two pairs of arrays: images and labels for training, images and labels for tests.
    """
    path = get_file("cifar-10-batches-py", _CIFAR + "cifar-10-python.tar.gz", untar=True)
    parts = [_cifar_file(os.path.join(path, f"data_batch_{i}"), "labels") for i in range(1, 6)]
    x, y = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    x_test, y_test = _cifar_file(os.path.join(path, "test_batch"), "labels")
    y, y_test = (np.asarray(labels, np.uint8).reshape(-1, 1) for labels in (y, y_test))
    return (_images(x), y), (_images(x_test), y_test)


def load_cifar100(label_mode="fine"):
    """Loads the 32 x 32 images of 100 classes of CIFAR-100.

    Args:
        label_mode: "fine": 100 classes; "coarse": 20.

    Returns:
        Two pairs of arrays: images and labels for training, images and labels for tests.

    Raises:
        ValueError: The mode is another one.
    """
    if label_mode not in ("fine", "coarse"):
        raise ValueError('`label_mode` must be one of `"fine"`, `"coarse"`.')
    path = get_file("cifar-100-python", _CIFAR + "cifar-100-python.tar.gz", untar=True)
    found = []
    for kind in ("train", "test"):
        x, y = _cifar_file(os.path.join(path, kind), label_mode + "_labels")
        found.append((_images(x), np.reshape(y, (-1, 1))))
    return tuple(found)


def _chosen(x, num_words, skip_top, maxlen, start_char, oov_char, index_from):
    """Sequences of words with an offset, without words that are too rare or too frequent."""
    if start_char is not None:
        x = [[start_char, *(w + index_from for w in words)] for words in x]
    elif index_from:
        x = [[w + index_from for w in words] for words in x]
    if maxlen:
        x = [words if len(words) < maxlen else None for words in x]
    limit = num_words or max((max(words) for words in x if words), default=0) + 1
    if oov_char is None:
        return [words and [w for w in words if skip_top <= w < limit] for words in x]
    return [words and [w if skip_top <= w < limit else oov_char for w in words] for words in x]


def _shuffled(x, y, generator):
    order = np.arange(len(x))
    generator.shuffle(order)
    return x[order], y[order]


def load_imdb(path="imdb.npz", num_words=None, skip_top=0, maxlen=None, seed=113, start_char=1,
              oov_char=2, index_from=3, **kwargs):  # fmt: skip
    """Loads the reviews of films of IMDB, as lists of ranks of words.

    Args:
        path: Name of the file in the cache, a str.
        num_words: Only words of smaller ranks are kept, an int. None: all.
        skip_top: How many of the most frequent words are left out, an int.
        maxlen: Longer reviews are left out, an int. None: none are.
        seed: Seed of the order, an int.
        start_char: What each review begins with, an int. None: nothing.
        oov_char: What stands for words that are left out, an int. None: nothing.
        index_from: What is added to ranks, an int.
        **kwargs: nb_words: older name of num_words.

    Returns:
        Two pairs of arrays: reviews and labels for training, reviews and labels for tests.
    """
    num_words = kwargs.pop("nb_words", num_words)
    if kwargs:
        raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
    path = get_file(path, _GOOGLE + "imdb.npz")
    with np.load(path, allow_pickle=True) as found:
        parts = [(found["x_" + k], found["y_" + k]) for k in ("train", "test")]
    generator = np.random.RandomState(seed)
    parts = [_shuffled(x, y, generator) for x, y in parts]
    count = len(parts[0][0])
    labels = np.concatenate([y for _, y in parts])
    x = _chosen([list(w) for x, _ in parts for w in x], num_words, skip_top, maxlen, start_char,
                oov_char, index_from)  # fmt: skip
    kept = [i for i, words in enumerate(x) if words is not None]
    first = [i for i in kept if i < count]
    return tuple(
        (_ragged([x[i] for i in part]), labels[part]) for part in (first, kept[len(first):])
    )


def load_reuters(path="reuters.npz", num_words=None, skip_top=0, maxlen=None, test_split=0.2,
                 seed=113, start_char=1, oov_char=2, index_from=3, **kwargs):  # fmt: skip
    """Loads the news of Reuters, as lists of ranks of words.

    Args:
        path: Name of the file in the cache, a str.
        num_words: Only words of smaller ranks are kept, an int. None: all.
        skip_top: How many of the most frequent words are left out, an int.
        maxlen: Longer texts are left out, an int. None: none are.
        test_split: Which part of the data is for tests, a float.
        seed: Seed of the order, an int.
        start_char: What each text begins with, an int. None: nothing.
        oov_char: What stands for words that are left out, an int. None: nothing.
        index_from: What is added to ranks, an int.
        **kwargs: nb_words: older name of num_words.

    Returns:
        Two pairs of arrays: texts and labels for training, texts and labels for tests.
    """
    num_words = kwargs.pop("nb_words", num_words)
    if kwargs:
        raise TypeError("Unrecognized keyword arguments: " + str(kwargs))
    path = get_file(path, _GOOGLE + "reuters.npz")
    with np.load(path, allow_pickle=True) as found:
        x, y = _shuffled(found["x"], found["y"], np.random.RandomState(seed))
    x = _chosen([list(w) for w in x], num_words, skip_top, maxlen, start_char, oov_char, index_from)
    kept = [i for i, words in enumerate(x) if words is not None]
    x, y = [x[i] for i in kept], y[kept]
    at = int(len(x) * (1 - test_split))
    return (_ragged(x[:at]), y[:at]), (_ragged(x[at:]), y[at:])


def _ragged(rows):
    """An array of lists."""
    found = np.empty(len(rows), dtype=object)
    found[:] = rows
    return found


def _word_index(default):
    def get_word_index(path=default):
        """Loads the ranks of words.

        Args:
            path: Name of the file in the cache, a str.

        Returns:
            A dict: word -> rank.
        """
        with open(get_file(path, _GOOGLE + default), encoding="utf-8") as file:
            return json.load(file)

    return get_word_index


imdb_word_index = _word_index("imdb_word_index.json")
reuters_word_index = _word_index("reuters_word_index.json")
SETS = {
    "boston_housing": {"load_data": load_boston_housing},
    "cifar10": {"load_data": load_cifar10},
    "cifar100": {"load_data": load_cifar100},
    "fashion_mnist": {"load_data": load_fashion_mnist},
    "imdb": {"load_data": load_imdb, "get_word_index": imdb_word_index},
    "mnist": {"load_data": load_mnist},
    "reuters": {"load_data": load_reuters, "get_word_index": reuters_word_index},
}
