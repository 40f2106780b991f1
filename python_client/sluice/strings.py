"""Strings: bytes, element by element. Values come out as NumPy arrays of bytes."""

from . import dtypes, raw_ops
from .building import all_axes, thin, with_names
from .convert import convert_to_tensor
from .sparse import SparseTensor

length = thin("StringLength", "input unit='BYTE'",
              "int32: bytes, or with unit='UTF8_CHAR' characters.")  # fmt: skip
strip = thin("StringStrip", "input", "Without white space at both ends.")
substr = thin(
    "Substr",
    "input pos len unit='BYTE'",
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
to_hash_bucket = thin("StringToHashBucket", "string_tensor num_buckets",
                      "int64 of [0, num_buckets); to_hash_bucket_fast is quicker.")  # fmt: skip
as_string = thin("AsString",
                 "input precision=-1 scientific=False shortest=False width=-1 fill=''",
                 "Numbers and bools as text, as printf writes them.")  # fmt: skip
encode_base64 = thin("EncodeBase64", "input pad=False", "Web-safe base64.")
decode_base64 = thin("DecodeBase64", "input", "The reverse of encode_base64.")


def join(inputs, separator="", name=None):
    """Strings joined element by element; scalars are repeated."""
    return raw_ops.StringJoin(inputs=list(inputs), separator=separator, name=name)


def reduce_join(inputs, axis=None, keepdims=False, separator="", name=None):
    """Strings joined along dimensions, in the order of `axis` (None: all)."""
    inputs = convert_to_tensor(inputs, dtypes.string)
    axis = all_axes(inputs) if axis is None else axis
    return raw_ops.ReduceJoin(
        inputs=inputs, reduction_indices=axis, keep_dims=keepdims, separator=separator, name=name
    )


def split(input, sep=None, maxsplit=-1, name=None):
    """The parts of each string of a vector, as a SparseTensor [n, most parts].

    sep: None or "": at white space. maxsplit: at most so many cuts.
    """
    return SparseTensor(
        *raw_ops.StringSplitV2(input=input, sep=sep or "", maxsplit=maxsplit, name=name)
    )


def string_split(source, sep=None, skip_empty=True, delimiter=" ", name=None):
    """The parts of each string of a vector between any of the delimiter's bytes, as a SparseTensor
    [n, most parts]. delimiter "": single bytes; skip_empty: without empty parts."""
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


__all__ = with_names(globals())
