# SPDX-License-Identifier: Apache-2.0
"""How the vocabulary of a variable differs from the one in a checkpoint."""

import collections


class VocabInfo(
    collections.namedtuple(
        "VocabInfo",
        "new_vocab new_vocab_size num_oov_buckets old_vocab old_vocab_size backup_initializer axis",
    )
):
    """The vocabulary of a variable's rows, now and in a checkpoint.

    Args:
        new_vocab: Path of the file with the new vocabulary, a str.
        new_vocab_size: How many lines of it are used, an int.
        num_oov_buckets: How many rows there are for other words, an int.
        old_vocab: Path of the file with the vocabulary of the checkpoint, a str.
        old_vocab_size: How many lines of it the checkpoint has, an int. -1: all.
        backup_initializer: An initializer of rows that the checkpoint lacks. None: zeros.
        axis: The dimension that the words belong to: 0 or 1.

    Raises:
        ValueError: axis is another number.
    """

    __slots__ = ()

    def __new__(cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size=-1,
                backup_initializer=None, axis=0):  # fmt: skip
        if axis not in (0, 1):
            raise ValueError(
                "The only supported values for the axis argument are 0 and 1.  Provided axis:"
                f" {axis}"
            )
        return super().__new__(
            cls, new_vocab, new_vocab_size, num_oov_buckets, old_vocab, old_vocab_size,
            backup_initializer, axis,
        )  # fmt: skip
