# SPDX-License-Identifier: Apache-2.0
"""Texts as numbers: words by their ranks, or by hashes."""

import collections
import hashlib
import json

import numpy as np

_FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'


def text_to_word_sequence(text, filters=_FILTERS, lower=True, split=" "):
    """Splits a text into words.

    Args:
        text: The text, a str.
        filters: Characters that stand between words too, a str.
        lower: Whether the text becomes lower case. A bool.
        split: What stands between words, a str.

    Returns:
        A list of str.
    """
    text = text.lower() if lower else text
    text = text.translate(str.maketrans({c: split for c in filters}))
    return [word for word in text.split(split) if word]


def one_hot(text, n, filters=_FILTERS, lower=True, split=" "):
    """Replaces words by hashes from 1 to n - 1.

    Args:
        text: The text, a str.
        n: How many numbers there are, an int.
        filters: Characters that stand between words too, a str.
        lower: Whether the text becomes lower case. A bool.
        split: What stands between words, a str.

    Returns:
        A list of ints, which differ in each process.
    """
    return hashing_trick(text, n, hash, filters, lower, split)


def hashing_trick(text, n, hash_function=None, filters=_FILTERS, lower=True, split=" "):
    """Replaces words by hashes from 1 to n - 1.

    Args:
        text: The text, a str.
        n: How many numbers there are, an int.
        hash_function: A function of a str; "md5"; None: hash().
        filters: Characters that stand between words too, a str.
        lower: Whether the text becomes lower case. A bool.
        split: What stands between words, a str.

    Returns:
        A list of ints.
    """
    if hash_function is None:
        hash_function = hash
    elif hash_function == "md5":

        def hash_function(word):
            return int(hashlib.md5(word.encode()).hexdigest(), 16)

    words = text_to_word_sequence(text, filters, lower, split)
    return [hash_function(word) % (n - 1) + 1 for word in words]


class Tokenizer:
    """Numbers words by how often they occur; 0 is no word.

    Args:
        num_words: Only words of smaller numbers are kept, an int. None: all.
        filters: Characters that stand between words too, a str.
        lower: Whether texts become lower case. A bool.
        split: What stands between words, a str.
        char_level: Whether each character is a word. A bool.
        oov_token: What words that are not known become, a str. None: they are left out.
        document_count: How many texts were seen, an int.
        **kwargs: nb_words: the older name of num_words.
    """

    def __init__(self, num_words=None, filters=_FILTERS, lower=True, split=" ", char_level=False,
                 oov_token=None, document_count=0, **kwargs):  # fmt: skip
        num_words = kwargs.pop("nb_words", num_words)
        if kwargs:
            raise TypeError(f"Unrecognized keyword arguments: {kwargs}")
        self.num_words, self.filters, self.lower, self.split = num_words, filters, lower, split
        self.char_level, self.oov_token = char_level, oov_token
        self.document_count = document_count
        self.word_counts, self.word_docs = collections.OrderedDict(), collections.defaultdict(int)
        self.index_docs = collections.defaultdict(int)
        self.word_index, self.index_word = {}, {}

    def _words(self, text):
        if isinstance(text, list):
            return [t.lower() for t in text] if self.lower else text
        if self.char_level:
            return text.lower() if self.lower else text
        return text_to_word_sequence(text, self.filters, self.lower, self.split)

    def fit_on_texts(self, texts):
        """Counts the words of texts.

        Args:
            texts: The texts, a list of str or of lists of words.
        """
        self._count(map(self._words, texts))
        names = [word for word, _ in sorted(self.word_counts.items(), key=lambda c: -c[1])]
        if self.oov_token is not None:
            names = [self.oov_token, *names]
        self.word_index = {word: number for number, word in enumerate(names, 1)}
        self.index_word = {number: word for word, number in self.word_index.items()}
        for word, count in self.word_docs.items():
            self.index_docs[self.word_index[word]] = count

    def _count(self, sequences):
        for words in sequences:
            self.document_count += 1
            for word in words:
                self.word_counts[word] = self.word_counts.get(word, 0) + 1
            for word in set(words):
                self.word_docs[word] += 1

    def fit_on_sequences(self, sequences):
        """Counts the texts that have each number.

        Args:
            sequences: The texts as lists of ints.
        """
        self.document_count += len(sequences)
        for sequence in sequences:
            for number in set(sequence):
                self.index_docs[number] += 1

    def texts_to_sequences(self, texts):
        """Replaces words by their numbers.

        Args:
            texts: The texts, a list of str or of lists of words.

        Returns:
            A list of lists of ints.
        """
        return list(self.texts_to_sequences_generator(texts))

    def texts_to_sequences_generator(self, texts):
        """Replaces words by their numbers, a text at a time.

        Args:
            texts: The texts.

        Returns:
            A generator of lists of ints.
        """
        unknown = self.word_index.get(self.oov_token)
        for text in texts:
            found = []
            for word in self._words(text):
                number = self.word_index.get(word)
                if number is None or self.num_words and number >= self.num_words:
                    number = unknown
                if number is not None:
                    found.append(number)
            yield found

    def sequences_to_texts(self, sequences):
        """Replaces numbers by their words.

        Args:
            sequences: The texts as lists of ints.

        Returns:
            A list of str.
        """
        return list(self.sequences_to_texts_generator(sequences))

    def sequences_to_texts_generator(self, sequences):
        """Replaces numbers by their words, a text at a time.

        Args:
            sequences: The texts as lists of ints.

        Returns:
            A generator of str.
        """
        unknown = self.word_index.get(self.oov_token)
        for sequence in sequences:
            found = []
            for number in sequence:
                word = self.index_word.get(number)
                if word is None or self.num_words and number >= self.num_words:
                    word = None if unknown is None else self.index_word[unknown]
                if word is not None:
                    found.append(word)
            yield " ".join(found)

    def texts_to_matrix(self, texts, mode="binary"):
        """Makes a row of numbers of each text, with a column for each word.

        Args:
            texts: The texts, a list of str or of lists of words.
            mode: "binary", "count", "tfidf" or "freq".

        Returns:
            An array [texts, words].
        """
        return self.sequences_to_matrix(self.texts_to_sequences(texts), mode)

    def sequences_to_matrix(self, sequences, mode="binary"):
        """Makes a row of numbers of each text, with a column for each word.

        Args:
            sequences: The texts as lists of ints.
            mode: "binary", "count", "tfidf" or "freq".

        Returns:
            An array [texts, words].

        Raises:
            ValueError: The number of words or texts is not known, or the mode.
        """
        if not self.num_words and not self.word_index:
            raise ValueError(
                "Specify a dimension (`num_words` argument), or fit on some text data first."
            )
        if mode == "tfidf" and not self.document_count:
            raise ValueError("Fit the Tokenizer on some data before using tfidf mode.")
        if mode not in ("binary", "count", "tfidf", "freq"):
            raise ValueError("Unknown vectorization mode:", mode)
        size = self.num_words or len(self.word_index) + 1
        found = np.zeros((len(sequences), size))
        for row, sequence in zip(found, sequences):
            counts = collections.Counter(number for number in sequence if number < size)
            for number, count in counts.items():
                row[number] = self._weight(mode, number, count, len(sequence))
        return found

    def _weight(self, mode, number, count, length):
        if mode == "tfidf":
            texts = self.document_count / (1 + self.index_docs.get(number, 0))
            return (1 + np.log(count)) * np.log(1 + texts)
        return {"binary": 1, "count": count, "freq": count / length}[mode]

    def get_config(self):
        """Returns what makes an equal tokenizer.

        Returns:
            A dict, whose values are JSON.
        """
        tables = ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
        plain = "num_words filters lower split char_level oov_token document_count".split()
        found = {name: getattr(self, name) for name in plain}
        return {**found, **{name: json.dumps(getattr(self, name)) for name in tables}}

    def to_json(self, **kwargs):
        """Returns the tokenizer as text.

        Args:
            **kwargs: Arguments of json.dumps().

        Returns:
            A str.
        """
        return json.dumps({"class_name": "Tokenizer", "config": self.get_config()}, **kwargs)


def tokenizer_from_json(json_string):
    """Makes the tokenizer that to_json() described.

    Args:
        json_string: The text, a str.

    Returns:
        A Tokenizer.
    """
    config = json.loads(json_string)["config"]
    tables = {
        name: json.loads(config.pop(name))
        for name in ("word_counts", "word_docs", "index_docs", "index_word", "word_index")
    }
    made = Tokenizer(**config)
    made.word_counts, made.word_docs = tables["word_counts"], tables["word_docs"]
    made.word_index = tables["word_index"]
    made.index_docs = {int(k): v for k, v in tables["index_docs"].items()}
    made.index_word = {int(k): v for k, v in tables["index_word"].items()}
    return made


__all__ = [
    "Tokenizer", "hashing_trick", "one_hot", "text_to_word_sequence", "tokenizer_from_json",
]  # fmt: skip
