# SPDX-License-Identifier: Apache-2.0
"""Sequences of numbers as arrays: padding, windows, pairs for word vectors."""

import json
import random

import numpy as np

from .sequences import Sequence


def pad_sequences(sequences, maxlen=None, dtype="int32", padding="pre", truncating="pre",
                  value=0.0):  # fmt: skip
    """Makes an array of sequences, which are padded and cut to one length.

    Args:
        sequences: The sequences, a list of lists.
        maxlen: The length, an int. None: that of the longest.
        dtype: Dtype of the array.
        padding: "pre" or "post": where values are added.
        truncating: "pre" or "post": where values are left out.
        value: What is added, a number or a str.

    Returns:
        An array [sequences, maxlen, ...].

    Raises:
        ValueError: An argument is not valid.
    """
    if not hasattr(sequences, "__len__"):
        raise ValueError("`sequences` must be iterable.")
    for one in sequences:
        if not hasattr(one, "__len__"):
            raise ValueError(f"`sequences` must be a list of iterables. Found non-iterable: {one}")
    for name, given in (("Padding", padding), ("Truncating", truncating)):
        if given not in ("pre", "post"):
            raise ValueError(f'{name} type "{given}" not understood')
    maxlen = max(map(len, sequences), default=0) if maxlen is None else maxlen
    shape = next((np.asarray(s).shape[1:] for s in sequences if len(s)), ())
    is_text = np.issubdtype(dtype, np.str_) or np.issubdtype(dtype, np.str_)
    if isinstance(value, str) and dtype != object and not is_text:
        raise ValueError(
            f"`dtype` {dtype} is not compatible with `value`'s type: {type(value)}\nYou should set "
            "`dtype=object` for variable length strings."
        )
    found = np.full((len(sequences), maxlen, *shape), value, dtype=dtype)
    for row, one in zip(found, sequences):
        if not len(one):
            continue
        kept = one[len(one) - min(maxlen, len(one)):] if truncating == "pre" else one[:maxlen]
        kept = np.asarray(kept, dtype=dtype)
        if kept.shape[1:] != shape:
            raise ValueError(
                f"Shape of sample {kept.shape[1:]} of sequence is different from expected shape "
                f"{shape}"
            )
        if padding == "post":
            row[: len(kept)] = kept
        elif len(kept):
            row[-len(kept):] = kept
    return found


def make_sampling_table(size, sampling_factor=1e-5):
    """Computes how likely words are kept, by their ranks in Zipf's law.

    Args:
        size: How many words there are, an int.
        sampling_factor: The factor of word2vec, a float.

    Returns:
        An array of probabilities.
    """
    gamma, rank = 0.577, np.arange(size)
    rank[0] = 1
    frequency = sampling_factor * (
        rank * (np.log(rank) + gamma) + 0.5 - 1.0 / (12.0 * rank)
    )
    return np.minimum(1.0, frequency / np.sqrt(frequency))


def skipgrams(sequence, vocabulary_size, window_size=4, negative_samples=1.0, shuffle=True,
              categorical=False, sampling_table=None, seed=None):  # fmt: skip
    """Makes pairs of words: neighbours, and words that are drawn.

    Args:
        sequence: The words, a list of ints; 0 is not a word.
        vocabulary_size: How many words there are, an int.
        window_size: How far neighbours are, an int.
        negative_samples: How many drawn pairs there are for each pair of neighbours, a float.
        shuffle: Whether pairs are shuffled. A bool.
        categorical: Whether labels are [0, 1] and [1, 0], not 1 and 0. A bool.
        sampling_table: How likely each word is kept, an array. None: all are.
        seed: Seed of the shuffling, an int.

    Returns:
        A tuple: a list of pairs, a list of labels.
    """
    couples, labels = [], []
    for place, word in enumerate(sequence):
        if not word:
            continue
        if sampling_table is not None and sampling_table[word] < random.random():
            continue
        last = min(len(sequence), place + window_size + 1)
        for other in range(max(0, place - window_size), last):
            if other != place and sequence[other]:
                couples.append([word, sequence[other]])
                labels.append([0, 1] if categorical else 1)
    if negative_samples > 0:
        words = [couple[0] for couple in couples]
        random.shuffle(words)
        count = int(len(labels) * negative_samples)
        couples += [
            [words[i % len(words)], random.randint(1, vocabulary_size - 1)] for i in range(count)
        ]
        labels += [[1, 0] if categorical else 0] * count
    if shuffle:
        seed = random.randint(0, int(10e6)) if seed is None else seed
        for items in (couples, labels):
            random.seed(seed)
            random.shuffle(items)
    return couples, labels


class TimeseriesGenerator(Sequence):
    """Batches of windows of a series.

    Args:
        data: The series, an array [steps, ...].
        targets: What follows each window, an array [steps, ...].
        length: Length of a window, an int.
        sampling_rate: Distance of two steps in a window, an int.
        stride: Distance of two windows, an int.
        start_index: The first step, an int.
        end_index: The last step, an int. None: that of the data.
        shuffle: Whether windows are drawn. A bool.
        reverse: Whether windows go backwards. A bool.
        batch_size: How many windows a batch has, an int.

    Raises:
        ValueError: There is no window.
    """

    def __init__(self, data, targets, length, sampling_rate=1, stride=1, start_index=0,
                 end_index=None, shuffle=False, reverse=False, batch_size=128):  # fmt: skip
        if len(data) != len(targets):
            raise ValueError(
                "Data and targets have to be of same length. Data length is "
                f"{len(data)} while target length is {len(targets)}"
            )
        self.data, self.targets, self.length = data, targets, length
        self.sampling_rate, self.stride, self.shuffle = sampling_rate, stride, shuffle
        self.start_index = start_index + length
        self.end_index = len(data) - 1 if end_index is None else end_index
        self.reverse, self.batch_size = reverse, batch_size
        if self.start_index > self.end_index:
            raise ValueError(
                f"`start_index+length={self.start_index} > end_index={self.end_index}` is "
                "disallowed, as no part of the sequence would be left to be used as current step."
            )

    def __len__(self):
        per_batch = self.batch_size * self.stride
        return (self.end_index - self.start_index + per_batch) // per_batch

    def __getitem__(self, index):
        if self.shuffle:
            rows = np.random.randint(self.start_index, self.end_index + 1, size=self.batch_size)
        else:
            first = self.start_index + self.batch_size * self.stride * index
            last = min(first + self.batch_size * self.stride, self.end_index + 1)
            rows = np.arange(first, last, self.stride)
        windows = [self.data[row - self.length: row: self.sampling_rate] for row in rows]
        samples, targets = np.array(windows), np.array([self.targets[row] for row in rows])
        return (samples[:, ::-1, ...] if self.reverse else samples), targets

    def get_config(self):
        """Returns the series and how windows are made of it.

        Returns:
            A dict; `data` and `targets` are JSON, str.

        Raises:
            TypeError: The series has what JSON cannot say.
        """
        config = {}
        for what in ("data", "targets"):
            rows = getattr(self, what)
            rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
            try:
                config[what] = json.dumps(rows)
            except TypeError:
                raise TypeError(f"{what.capitalize()} not JSON Serializable:", rows) from None
        names = "length sampling_rate stride start_index end_index shuffle reverse batch_size"
        return {**config, **{name: getattr(self, name) for name in names.split()}}

    def to_json(self, **kwargs):
        """Describes the generator.

        Args:
            **kwargs: Arguments of json.dumps().

        Returns:
            JSON, a str.
        """
        described = {"class_name": type(self).__name__, "config": self.get_config()}
        return json.dumps(described, **kwargs)


__all__ = ["TimeseriesGenerator", "make_sampling_table", "pad_sequences", "skipgrams"]
