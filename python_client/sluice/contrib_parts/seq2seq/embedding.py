# SPDX-License-Identifier: Apache-2.0
"""How decoders look up the inputs of classes."""

from ...ops.nn.sampling import embedding_lookup


def lookup_of(embedding):
    """Makes a function of class numbers.

    Args:
        embedding: Such a function, or a table [classes, size].

    Returns:
        A function of an integer tensor that returns inputs.
    """
    if callable(embedding):
        return embedding
    return lambda ids: embedding_lookup(embedding, ids)
