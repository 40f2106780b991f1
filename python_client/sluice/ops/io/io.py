# SPDX-License-Identifier: Apache-2.0
"""Files and bytes."""

from ... import dtypes
from ...graph.keys import GraphKeys
from .. import raw_ops
from ..building import given, thin, with_names
from ..sparse.parts import parts_of
from ..sparse.sparse_tensor import SparseTensor
from ..state.variables import Variable

read_file = thin(
    "ReadFile",
    "filename",
    """Reads a file in the server.

    Args:
        filename: The path, a string scalar.

    Returns:
        A string scalar.

    Raises:
        errors.NotFoundError: In run(): the file does not exist.
    """,
)
write_file = thin(
    "WriteFile",
    "filename contents",
    """Writes a file in the server. Directories are made as needed.

    Args:
        filename: The path, a string scalar.
        contents: The bytes, a string scalar.
    """,
)
matching_files = thin(
    "MatchingFiles",
    "pattern",
    """Finds the files that patterns match, in the server.

    Args:
        pattern: A pattern such as "a*b?.[c-d]", a string scalar or vector.

    Returns:
        A string vector of sorted paths.
    """,
)
encode_base64 = thin(
    "EncodeBase64",
    "input pad=False",
    """Encodes strings in the web-safe form of base64.

    Args:
        pad: Whether "=" fills up the end. A bool.
    """,
)
decode_base64 = thin("DecodeBase64", "input", "Decodes strings in the web-safe form of base64.")


def decode_raw(input_bytes=None, out_type=None, little_endian=True, name=None, bytes=None):
    """Reads the bytes of strings as numbers.

    Args:
        input_bytes: A string tensor [...]. All strings have one length.
        out_type: Dtype of the numbers.
        little_endian: Whether the lowest byte is first. A bool.
        name: Name of the operation, a str. None: a default name.
        bytes: Older name of input_bytes.

    Returns:
        A tensor [..., numbers].
    """
    return raw_ops.DecodeRaw(
        bytes=given(input_bytes, bytes), out_type=out_type, little_endian=little_endian, name=name
    )


def serialize_sparse(sp_input, name=None, out_type=dtypes.string):
    """Converts a SparseTensor to three strings.

    Args:
        sp_input: The SparseTensor.
        name: Name of the operation, a str. None: a default name.
        out_type: Dtype of the result: string or variant.

    Returns:
        A tensor [3].
    """
    parts = parts_of(sp_input, "sparse_")
    return raw_ops.SerializeSparse(out_type=out_type, name=name, **parts)


def serialize_many_sparse(sp_input, name=None, out_type=dtypes.string):
    """Converts each row of a SparseTensor to three strings.

    Args:
        sp_input: The SparseTensor [n, ...].
        name: Name of the operation, a str. None: a default name.
        out_type: Dtype of the result: string or variant.

    Returns:
        A tensor [n, 3].
    """
    parts = parts_of(sp_input, "sparse_")
    return raw_ops.SerializeManySparse(out_type=out_type, name=name, **parts)


def deserialize_many_sparse(serialized_sparse, dtype, rank=None, name=None):
    """Makes one SparseTensor of serialised ones.

    Args:
        serialized_sparse: A tensor [n, 3].
        dtype: Dtype of the values.
        rank: Accepted. It has no effect.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor with one dimension more.
    """
    del rank  # the runtime knows it
    return SparseTensor(
        *raw_ops.DeserializeManySparse(serialized_sparse=serialized_sparse, dtype=dtype, name=name)
    )


def match_filenames_once(pattern, name=None):
    """Makes a local variable with the names of the files that a pattern matches when it is
    initialised.

    Args:
        pattern: A pattern, or a list of them.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The variable.
    """
    return Variable(
        matching_files(pattern), trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
        validate_shape=False, name=name or "matching_filenames",
    )  # fmt: skip


__all__ = with_names(globals())
