"""Strings: bytes, element by element. Values come out as NumPy arrays of bytes."""

import sys as _sys

from . import dtypes, raw_ops
from .building import all_axes, given, thin, with_names
from .convert import convert_to_tensor
from .sparse import SparseTensor

length = thin("StringLength", "input name unit='BYTE'",
              "int32: bytes, or with unit='UTF8_CHAR' characters.")  # fmt: skip
strip = thin("StringStrip", "input", "Without white space at both ends.")
substr = thin(
    "Substr",
    "input pos len name unit='BYTE'",
    "`len` bytes (or characters) from pos. InvalidArgumentError: pos is outside.",
)
regex_full_match = thin("RegexFullMatch", "input pattern",
                        "bool: does the RE2 pattern match the whole string?")  # fmt: skip
regex_replace = thin(
    "RegexReplace",
    "input pattern rewrite replace_global=True",
    r"Matches of an RE2 pattern replaced by `rewrite` (\1: its first group).",
)
to_hash_bucket_fast = thin(
    "StringToHashBucketFast",
    "input num_buckets",
    "int64 of [0, num_buckets): a 64-bit fingerprint of the string.",
)
to_hash_bucket_strong = thin(
    "StringToHashBucketStrong",
    "input num_buckets key",
    "int64 of [0, num_buckets): SipHash with a key of two integers.",
)
to_hash_bucket = thin("StringToHashBucket", "string_tensor|input num_buckets=None",
                      "int64 of [0, num_buckets); to_hash_bucket_fast is quicker.")  # fmt: skip
as_string = thin("AsString",
                 "input precision=-1 scientific=False shortest=False width=-1 fill=''",
                 "Numbers and bools as text, as printf writes them.")  # fmt: skip
lower = thin("StringLower", "input encoding=''",
             "With small letters: ASCII's, or with encoding='utf-8' all.")  # fmt: skip
upper = thin("StringUpper", "input encoding=''",
             "With capitals: ASCII's, or with encoding='utf-8' all.")  # fmt: skip
unicode_script = thin("UnicodeScript", "input",
                      "int32: the script of each code point, by ICU's number.")  # fmt: skip
unicode_transcode = thin(
    "UnicodeTranscode",
    "input input_encoding output_encoding errors='replace' replacement_char=65533"
    " replace_control_characters=False",
    "Text of one encoding in another: UTF-8, UTF-16-BE or UTF-32-BE. errors: what becomes of bytes"
    " that are no character, 'replace', 'ignore' or 'strict' (InvalidArgumentError).",
)
encode_base64 = thin("EncodeBase64", "input pad=False", "Web-safe base64.")
decode_base64 = thin("DecodeBase64", "input", "The reverse of encode_base64.")


fingerprint = thin("Fingerprint", "data method='farmhash64'",
                   "uint8 [n, 8]: a fingerprint of each row.")  # fmt: skip


def to_number(string_tensor=None, out_type=dtypes.float32, name=None, input=None):
    """The numbers that the strings are. InvalidArgumentError names one that is none."""
    string_tensor = given(string_tensor, input)
    return raw_ops.StringToNumber(string_tensor=string_tensor, out_type=out_type, name=name)


def join(inputs, separator="", name=None):
    """Strings joined element by element; scalars are repeated."""
    return raw_ops.StringJoin(inputs=list(inputs), separator=separator, name=name)


def reduce_join(inputs, axis=None, keep_dims=None, separator="", name=None, reduction_indices=None,
                keepdims=None):  # fmt: skip
    """Strings joined along dimensions, in the order of `axis` (None: all)."""
    inputs, axis = convert_to_tensor(inputs, dtypes.string), given(axis, reduction_indices)
    keepdims = bool(given(keepdims, keep_dims))
    axis = all_axes(inputs) if axis is None else axis
    return raw_ops.ReduceJoin(
        inputs=inputs, reduction_indices=axis, keep_dims=keepdims, separator=separator, name=name
    )


def unsorted_segment_join(inputs, segment_ids, num_segments, separator="", name=None):
    """The strings of each segment joined in their order: [num_segments, ...]. segment_ids has the
    first dimensions of inputs; an empty segment is ""."""
    return raw_ops.UnsortedSegmentJoin(
        inputs=inputs, segment_ids=segment_ids, num_segments=num_segments, separator=separator,
        name=name,
    )  # fmt: skip


def _sparse_only(result_type):
    if result_type != "SparseTensor":
        raise NotImplementedError(f"result_type={result_type!r}: there are no ragged tensors")


def split(input=None, sep=None, maxsplit=-1, result_type="SparseTensor", source=None, name=None):
    """The parts of each string of a vector, as a SparseTensor [n, most parts].

    sep: None or "": at white space. maxsplit: at most so many cuts. source: an older name of input.
    """
    _sparse_only(result_type)
    input = given(input, source)
    return SparseTensor(
        *raw_ops.StringSplitV2(input=input, sep=sep or "", maxsplit=maxsplit, name=name)
    )


def string_split(source, sep=None, skip_empty=True, delimiter=" ", result_type="SparseTensor",
                 name=None):  # fmt: skip
    """The parts of each string of a vector between any of the delimiter's bytes, as a SparseTensor
    [n, most parts]. delimiter "": single bytes; skip_empty: without empty parts."""
    _sparse_only(result_type)
    delimiter = delimiter if sep is None else sep
    return SparseTensor(
        *raw_ops.StringSplit(input=source, delimiter=delimiter, skip_empty=skip_empty, name=name)
    )


def format(template, inputs, placeholder="{}", summarize=3, name=None):
    """The template with its placeholders replaced by the tensors, a scalar."""
    inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    return raw_ops.StringFormat(
        inputs=inputs, template=template, placeholder=placeholder, summarize=summarize, name=name
    )


def print_v2(*inputs, output_stream=_sys.stderr, summarize=3, sep=" ", end="\n", name=None):
    """An operation that prints strings and tensors, in the server, to output_stream: its standard
    output or error, or "file://" and a path."""
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
