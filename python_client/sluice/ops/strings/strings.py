# SPDX-License-Identifier: Apache-2.0
"""Strings: bytes, element by element. Values come out as NumPy arrays of bytes."""

import sys as _sys

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import raw_ops
from ..array.axes import all_axes
from ..building import given, thin, with_names
from ..sparse.sparse_tensor import SparseTensor

length = thin(
    "StringLength",
    "input name unit='BYTE'",
    """Returns the lengths of strings.

    Args:
        unit: "BYTE" counts bytes, "UTF8_CHAR" characters.
    """,
)
strip = thin("StringStrip", "input", "Removes white space from both ends of strings.")
substr = thin(
    "Substr",
    "input pos len name unit='BYTE'",
    """Takes a part of each string.

    Args:
        pos: An int32 or int64 tensor: the first byte (or character); a negative one counts from the
            end.
        len: A tensor of the same dtype: how many bytes (or characters).
        unit: "BYTE" counts bytes, "UTF8_CHAR" characters.

    Raises:
        errors.InvalidArgumentError: In run(): pos is outside of a string.
    """,
)
regex_full_match = thin(
    "RegexFullMatch",
    "input pattern",
    """Tests whether a pattern matches whole strings.

    Args:
        pattern: A regular expression in the syntax of RE2, a string scalar.

    Returns:
        A bool tensor of the shape of `input`.
    """,
)
regex_replace = thin(
    "RegexReplace",
    "input pattern rewrite replace_global=True",
    r"""Replaces what a pattern matches.

    Args:
        pattern: A regular expression in the syntax of RE2, a string scalar.
        rewrite: The text that replaces it, a string scalar. \1 stands for the first group.
        replace_global: Whether all matches are replaced, not only the first. A bool.
    """,
)
to_hash_bucket_fast = thin(
    "StringToHashBucketFast",
    "input num_buckets",
    """Computes a bucket for each string from a 64-bit fingerprint.

    Args:
        num_buckets: How many buckets, an int.

    Returns:
        An int64 tensor of numbers from 0 to num_buckets - 1.
    """,
)
to_hash_bucket_strong = thin(
    "StringToHashBucketStrong",
    "input num_buckets key",
    """Computes a bucket for each string by SipHash.

    Args:
        num_buckets: How many buckets, an int.
        key: Two integers, a list.

    Returns:
        An int64 tensor of numbers from 0 to num_buckets - 1.
    """,
)
to_hash_bucket = thin(
    "StringToHashBucket",
    "string_tensor|input num_buckets=None",
    """Computes a bucket for each string. to_hash_bucket_fast() is quicker.

    Args:
        string_tensor: A string tensor of any shape.
        num_buckets: How many buckets, an int.
        input: Another name of string_tensor.

    Returns:
        An int64 tensor of numbers from 0 to num_buckets - 1.
    """,
)
as_string = thin(
    "AsString",
    "input precision=-1 scientific=False shortest=False width=-1 fill=''",
    """Converts numbers and bools to text, as printf does.

    Args:
        precision: How many digits after the point, an int; -1: the default.
        scientific: Whether numbers have an exponent. A bool.
        shortest: Whether the shorter of both forms is used. A bool.
        width: The least length of the text, an int; -1: any.
        fill: The character that fills it up, a str. "": a space.
    """,
)
lower = thin(
    "StringLower",
    "input encoding=''",
    """Converts strings to small letters.

    Args:
        encoding: "": ASCII letters; "utf-8": all letters.
    """,
)
upper = thin(
    "StringUpper",
    "input encoding=''",
    """Converts strings to capital letters.

    Args:
        encoding: "": ASCII letters; "utf-8": all letters.
    """,
)
unicode_script = thin(
    "UnicodeScript",
    "input",
    "Returns the script of each Unicode code point, as a number of the ICU library.",
)
unicode_transcode = thin(
    "UnicodeTranscode",
    "input input_encoding output_encoding errors='replace' replacement_char=65533"
    " replace_control_characters=False",
    """Converts text to another encoding.

    Args:
        input_encoding: Name of the encoding of `input`, a str.
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: How bytes that are not a character are treated: "replace", "ignore" or "strict".
        replacement_char: The code point that replaces them, an int.
        replace_control_characters: Whether control characters are replaced too. A bool.

    Raises:
        errors.InvalidArgumentError: In run(): with errors="strict", bytes are not a character.
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
decode_base64 = thin(
    "DecodeBase64",
    "input",
    """Decodes strings in the web-safe form of base64.

    Raises:
        errors.InvalidArgumentError: In run(): a string is not base64.
    """,
)


fingerprint = thin(
    "Fingerprint",
    "data method='farmhash64'",
    """Computes a fingerprint of each row.

    Args:
        method: The method, "farmhash64".

    Returns:
        A uint8 tensor [n, 8].
    """,
)


def to_number(string_tensor=None, out_type=dtypes.float32, name=None, input=None):
    """Converts strings to numbers.

    Args:
        string_tensor: A string tensor of any shape.
        out_type: Dtype of the result: float32, float64, int32 or int64.
        name: Name of the operation, a str. None: a default name.
        input: Another name of string_tensor.

    Returns:
        A tensor of the same shape.

    Raises:
        errors.InvalidArgumentError: In run(): a string is not a number.

    Example:
        >>> sl.Session().run(sl.string_to_number(["1.5", "2"]))
        array([1.5, 2. ], dtype=float32)
    """
    string_tensor = given(string_tensor, input)
    return raw_ops.StringToNumber(string_tensor=string_tensor, out_type=out_type, name=name)


def join(inputs, separator="", name=None):
    """Joins strings element by element.

    Args:
        inputs: A list of string tensors of one shape; scalars are repeated.
        separator: Text between the strings, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A string tensor.

    Example:
        >>> sl.Session().run(sl.string_join(["a", "b"], separator="-"))
        b'a-b'
    """
    return raw_ops.StringJoin(inputs=list(inputs), separator=separator, name=name)


def reduce_join(inputs, axis=None, keep_dims=None, separator="", name=None, reduction_indices=None,
                keepdims=None):  # fmt: skip
    """Joins strings along dimensions.

    Args:
        inputs: A string tensor.
        axis: The dimensions in the order in which they are joined, an int or a list of ints. None:
            all.
        keep_dims: Older name of keepdims.
        separator: Text between the strings, a str.
        name: Name of the operation, a str. None: a default name.
        reduction_indices: Older name of axis.
        keepdims: Whether reduced dimensions stay, with size 1. A bool.

    Returns:
        A string tensor without the joined dimensions.

    Raises:
        ValueError: An argument is given by its name and by its older name.
    """
    inputs, axis = convert_to_tensor(inputs, dtypes.string), given(axis, reduction_indices)
    keepdims = bool(given(keepdims, keep_dims))
    axis = all_axes(inputs) if axis is None else axis
    return raw_ops.ReduceJoin(
        inputs=inputs, reduction_indices=axis, keep_dims=keepdims, separator=separator, name=name
    )


def unsorted_segment_join(inputs, segment_ids, num_segments, separator="", name=None):
    """Joins the strings of each segment in their order.

    Args:
        inputs: A string tensor.
        segment_ids: An int32 or int64 tensor of the first dimensions of inputs.
        num_segments: How many segments, an int or a scalar tensor.
        separator: Text between the strings, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A string tensor [num_segments, ...]; an empty segment gives "".
    """
    return raw_ops.UnsortedSegmentJoin(
        inputs=inputs, segment_ids=segment_ids, num_segments=num_segments, separator=separator,
        name=name,
    )  # fmt: skip


def _sparse_only(result_type):
    if result_type != "SparseTensor":
        raise NotImplementedError(f"result_type={result_type!r}: there are no ragged tensors")


def split(input=None, sep=None, maxsplit=-1, result_type="SparseTensor", source=None, name=None):
    """Splits each string of a vector.

    Args:
        input: A string vector [n].
        sep: The separator, a str. None or "": white space.
        maxsplit: The most cuts, an int; -1: no limit.
        result_type: "SparseTensor".
        source: Older name of input.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor [n, most parts].

    Raises:
        NotImplementedError: result_type is another one.
    """
    _sparse_only(result_type)
    input = given(input, source)
    return SparseTensor(
        *raw_ops.StringSplitV2(input=input, sep=sep or "", maxsplit=maxsplit, name=name)
    )


def string_split(source, sep=None, skip_empty=True, delimiter=None, result_type="SparseTensor",
                 name=None):  # fmt: skip
    """Splits each string of a vector at any byte of a delimiter.

    Args:
        source: A string vector [n].
        sep: Newer name of delimiter.
        skip_empty: Whether empty parts are left out. A bool.
        delimiter: The bytes, a str. "": a part for each byte. None: a space.
        result_type: "SparseTensor".
        name: Name of the operation, a str. None: a default name.

    Returns:
        A SparseTensor [n, most parts].

    Raises:
        NotImplementedError: result_type is another one.
    """
    _sparse_only(result_type)
    bytes_between = given(delimiter, sep)
    with name_scope(name, "StringSplit"):
        source = convert_to_tensor(source, dtypes.string)
        between = convert_to_tensor(" " if bytes_between is None else bytes_between, dtypes.string)
        return SparseTensor(
            *raw_ops.StringSplit(input=source, delimiter=between, skip_empty=skip_empty)
        )


def format(template, inputs, placeholder="{}", summarize=3, name=None):
    """Writes tensors into a text.

    Args:
        template: The text with placeholders, a str.
        inputs: A tensor or a list of tensors, one for each placeholder.
        placeholder: The text that stands for a tensor, a str.
        summarize: How many elements of each end are written, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A string scalar.
    """
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    return raw_ops.StringFormat(
        inputs=inputs, template=template, placeholder=placeholder, summarize=summarize, name=name
    )


def print_v2(*inputs, output_stream=_sys.stderr, summarize=3, sep=" ", end="\n", name=None):
    """Prints strings and tensors in the server, each time it runs.

    Args:
        *inputs: Strings and tensors.
        output_stream: sys.stderr, sys.stdout, or "file://" and a path.
        summarize: How many elements of each end are printed, an int.
        sep: Text between the inputs, a str.
        end: Text at the end, a str.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.

    Raises:
        ValueError: output_stream is none of these.
    """
    streams = {_sys.stderr: "stderr", _sys.stdout: "stdout"}
    if output_stream not in streams and not str(output_stream).startswith("file://"):
        raise ValueError('output_stream is sys.stdout, sys.stderr or "file://" and a path')
    tensors = [value for value in inputs if not isinstance(value, str)]
    template = sep.join(value if isinstance(value, str) else _PLACE for value in inputs)
    text = format(template, tensors, _PLACE, summarize) if tensors else convert_to_tensor(template)
    return raw_ops.PrintV2(
        input=text, output_stream=streams.get(output_stream, output_stream), end=end, name=name
    )


_PLACE = "{\u2042}"  # what no text has that a program prints

__all__ = with_names(globals())
