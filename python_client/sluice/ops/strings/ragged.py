# SPDX-License-Identifier: Apache-2.0
"""Strings cut into parts, of which each string has another number."""

from ... import dtypes
from ...graph.convert import convert_to_tensor
from ...graph.default_graph import name_scope
from .. import array as arrays
from .. import raw_ops
from ..building import with_names
from ..ragged.ragged_tensor import RaggedTensor


def _strings(value, dtype=None):
    if isinstance(value, RaggedTensor):
        return value
    value = convert_to_tensor(value, dtype, "input")
    if value.shape.ndims is None:
        raise ValueError(f"the rank of {value.name} must be known")
    return value


def bytes_split(input, name=None):
    """Cuts strings into their bytes.

    Args:
        input: A string tensor [...] of known rank, or a RaggedTensor.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A RaggedTensor [..., bytes]; a vector, if input is a scalar.

    Example:
        >>> sl.Session().run(sl.strings.bytes_split(["ab", "c"])).to_list()
        [[b'a', b'b'], [b'c']]
    """
    with name_scope(name, "StringsByteSplit"):
        input = _strings(input)
        if isinstance(input, RaggedTensor):
            return input.with_flat_values(bytes_split(input.flat_values))
        if input.shape.ndims == 0:
            return bytes_split(arrays.stack([input])).values
        if input.shape.ndims > 1:
            return bytes_split(RaggedTensor.from_tensor(input))
        places, values, sizes = raw_ops.StringSplit(input=input, delimiter="", skip_empty=False)
        return RaggedTensor.from_value_rowids(values, places[:, 0], sizes[0], validate=False)


def unicode_encode(input, output_encoding, errors="replace", replacement_char=65533, name=None):
    """Joins code points to strings.

    Args:
        input: An int32 tensor [..., characters] of known rank, or a RaggedTensor.
        output_encoding: "UTF-8", "UTF-16-BE" or "UTF-32-BE".
        errors: What becomes of invalid code points: "replace", "ignore" or "strict".
        replacement_char: The code point that replaces them, an int.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A string tensor [...], or a RaggedTensor.

    Raises:
        ValueError: input is a scalar, or its rank is not known.
        errors.InvalidArgumentError: In run(): with "strict", a code point is invalid.
    """
    with name_scope(name, "UnicodeEncode"):
        input, more = _strings(input), (output_encoding, errors, replacement_char)
        if isinstance(input, RaggedTensor):
            if input.flat_values.shape.ndims > 1:
                return input.with_flat_values(unicode_encode(input.flat_values, *more))
            if input.ragged_rank > 1:
                return input.with_values(unicode_encode(input.values, *more))
            return raw_ops.UnicodeEncode(
                input_values=input.values, input_splits=input.row_splits,
                output_encoding=output_encoding, errors=errors, replacement_char=replacement_char,
            )  # fmt: skip
        rank = input.shape.ndims
        if rank == 0:
            raise ValueError("a scalar has no characters")
        sizes = arrays.shape(input)
        rows = arrays.reshape(input, arrays.stack([-1, sizes[-1]]))
        found = unicode_encode(RaggedTensor.from_tensor(rows), *more)
        found = arrays.reshape(found, sizes[:-1])
        found.set_shape(input.shape.as_list()[:-1])
        return found


def unicode_decode(input, input_encoding, errors="replace", replacement_char=65533,
                   replace_control_characters=False, name=None):  # fmt: skip
    """Cuts strings into code points.

    Args:
        input: A string tensor [...] of known rank, or a RaggedTensor.
        input_encoding: The encoding, a str such as "UTF-8".
        errors: What becomes of invalid bytes: "replace", "ignore" or "strict".
        replacement_char: The code point that replaces them, an int.
        replace_control_characters: Whether control characters are replaced too. A bool.
        name: Name of the operations, a str. None: a default name.

    Returns:
        An int32 RaggedTensor [..., characters]; a vector, if input is a scalar.

    Example:
        >>> sl.Session().run(sl.strings.unicode_decode(["ab", "c"], "UTF-8")).to_list()
        [[97, 98], [99]]
    """
    with name_scope(name, "UnicodeDecode"):
        return _decoded(input, raw_ops.UnicodeDecode, {
            "input_encoding": input_encoding, "errors": errors,
            "replacement_char": replacement_char,
            "replace_control_characters": replace_control_characters,
        })[0]  # fmt: skip


def unicode_decode_with_offsets(input, input_encoding, errors="replace", replacement_char=65533,
                                replace_control_characters=False, name=None):  # fmt: skip
    """Cuts strings into code points, and returns where each begins.

    Args:
        input: A string tensor [...] of known rank, or a RaggedTensor.
        input_encoding: The encoding, a str such as "UTF-8".
        errors: What becomes of invalid bytes: "replace", "ignore" or "strict".
        replacement_char: The code point that replaces them, an int.
        replace_control_characters: Whether control characters are replaced too. A bool.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A tuple: the code points as of unicode_decode(), and their first bytes, int64.
    """
    with name_scope(name, "UnicodeDecodeWithOffsets"):
        return _decoded(input, raw_ops.UnicodeDecodeWithOffsets, {
            "input_encoding": input_encoding, "errors": errors,
            "replacement_char": replacement_char,
            "replace_control_characters": replace_control_characters,
        })  # fmt: skip


def _decoded(input, op, more):
    input = _strings(input)
    ragged = isinstance(input, RaggedTensor)
    rank = input.shape.ndims
    if rank > 1 and not ragged:
        input = RaggedTensor.from_tensor(input, ragged_rank=rank - 1)
    elif ragged and input.ragged_rank < rank - 1:
        flat = RaggedTensor.from_tensor(input.flat_values, ragged_rank=rank - 1 - input.ragged_rank)
        input = input.with_flat_values(flat)
    flat = input.flat_values if isinstance(input, RaggedTensor) else input
    splits, *parts = op(input=arrays.reshape(flat, [-1]), **more)
    if rank == 0:
        return tuple(parts)
    parts = [RaggedTensor(part, splits) for part in parts]
    return tuple(input.with_flat_values(part) if rank > 1 else part for part in parts)


def unicode_split(input, input_encoding, errors="replace", replacement_char=65533, name=None):
    """Cuts strings into characters.

    Args:
        input: A string tensor [...] of known rank, or a RaggedTensor.
        input_encoding: The encoding, a str such as "UTF-8".
        errors: What becomes of invalid bytes: "replace", "ignore" or "strict".
        replacement_char: The code point that replaces them, an int.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A string RaggedTensor [..., characters]; a vector, if input is a scalar.
    """
    with name_scope(name, "UnicodeSplit"):
        points = unicode_decode(input, input_encoding, errors, replacement_char)
        return _characters(points, input_encoding, errors, replacement_char)


def unicode_split_with_offsets(input, input_encoding, errors="replace", replacement_char=65533,
                               name=None):  # fmt: skip
    """Cuts strings into characters, and returns where each begins.

    Args:
        input: A string tensor [...] of known rank, or a RaggedTensor.
        input_encoding: The encoding, a str such as "UTF-8".
        errors: What becomes of invalid bytes: "replace", "ignore" or "strict".
        replacement_char: The code point that replaces them, an int.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A tuple: the characters as of unicode_split(), and their first bytes, int64.
    """
    with name_scope(name, "UnicodeSplitWithOffsets"):
        points, offsets = unicode_decode_with_offsets(
            input, input_encoding, errors, replacement_char
        )
        return _characters(points, input_encoding, errors, replacement_char), offsets


def _characters(points, *more):
    if isinstance(points, RaggedTensor):
        return points.with_flat_values(_characters(points.flat_values, *more))
    return unicode_encode(arrays.expand_dims(points, -1), *more)


def ngrams(data, ngram_width, separator=" ", pad_values=None, padding_width=None,
           preserve_short_sequences=False, name=None):  # fmt: skip
    """Joins every few strings of a row that follow each other.

    Args:
        data: A string tensor [..., strings] of known rank, or a RaggedTensor.
        ngram_width: How many strings are joined, an int, or a list of ints.
        separator: The text between them, a str.
        pad_values: The text before and after each row, a str, or a tuple of two. None: none.
        padding_width: How often it is added, an int. None: as often as is of use.
        preserve_short_sequences: Whether a row that is too short becomes one string. A bool.
        name: Name of the operations, a str. None: a default name.

    Returns:
        A RaggedTensor [..., joined strings]; a tensor, if data is one.

    Raises:
        TypeError: pad_values is not text.
        ValueError: A width is not positive, or data is a scalar.

    Example:
        >>> sl.Session().run(sl.strings.ngrams(["a", "b", "c"], 2))
        array([b'a b', b'b c'], dtype=object)
    """
    pads = list(pad_values) if isinstance(pad_values, (list, tuple)) else [pad_values] * 2
    if pad_values is not None and not all(isinstance(pad, (str, bytes)) for pad in pads):
        raise TypeError(f"pad_values must be text, not {pad_values!r}")
    if padding_width is not None and padding_width < 1:
        raise ValueError(f"padding_width must be 1 or more, not {padding_width}")
    if padding_width is not None and pad_values is None:
        raise ValueError("padding_width requires pad_values")
    widths = list(ngram_width) if isinstance(ngram_width, (list, tuple)) else [ngram_width]
    if any(width < 1 for width in widths):
        raise ValueError(f"widths must be 1 or more, not {ngram_width}")
    more = (ngram_width, separator, pad_values, padding_width, preserve_short_sequences)
    with name_scope(name, "StringNGrams"):
        data = _strings(data, dtypes.string)
        if not isinstance(data, RaggedTensor):
            return _dense_ngrams(data, more)
        if data.ragged_rank > 1:
            return data.with_values(ngrams(data.values, *more))
        found, splits = raw_ops.StringNGrams(
            data=data.flat_values, data_splits=data.row_splits, separator=separator,
            ngram_widths=widths, left_pad=pads[0] or "", right_pad=pads[1] or "",
            pad_width=0 if pad_values is None else padding_width or -1,
            preserve_short_sequences=preserve_short_sequences,
        )  # fmt: skip
        return RaggedTensor(found, splits)


def _dense_ngrams(data, more):
    rank = data.shape.ndims
    if rank == 0:
        raise ValueError("a scalar has no row of strings")
    if rank == 1:
        return ngrams(RaggedTensor.from_row_starts(data, [0], validate=False), *more)[0]
    sizes = arrays.concat([arrays.shape(data)[:-1], [-1]], 0)
    rows = RaggedTensor.from_tensor(data, ragged_rank=rank - 1)
    return arrays.reshape(ngrams(rows, *more).flat_values, sizes)


__all__ = with_names(globals())
