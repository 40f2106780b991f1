# SPDX-License-Identifier: Apache-2.0
"""Records of other formats as tensors."""

from .. import raw_ops
from ..building import thin, with_names

decode_compressed = thin(
    "DecodeCompressed",
    "bytes compression_type=''",
    """Decompresses strings.

    Args:
        bytes: A string tensor.
        compression_type: "ZLIB", "GZIP", or "" for none.

    Returns:
        A string tensor of the same shape.
    """,
)
decode_json_example = thin(
    "DecodeJSONExample",
    "json_examples",
    """Converts Examples from JSON to the bytes that parse_example() takes.

    Args:
        json_examples: A string tensor.

    Returns:
        A string tensor of the same shape.
    """,
)
parse_tensor = thin(
    "ParseTensor",
    "serialized out_type",
    """Reads the bytes of a TensorProto.

    Args:
        serialized: A string scalar.
        out_type: Dtype of the tensor.

    Returns:
        The tensor.

    Raises:
        errors.InvalidArgumentError: In run(): the bytes are another thing, or of another dtype.
    """,
)
serialize_tensor = thin(
    "SerializeTensor",
    "tensor",
    """Writes a tensor as the bytes of a TensorProto.

    Args:
        tensor: A tensor.

    Returns:
        A string scalar.
    """,
)


def decode_csv(records, record_defaults, field_delim=",", use_quote_delim=True, name=None,
               na_value="", select_cols=None):  # fmt: skip
    """Splits lines of comma-separated values.

    Args:
        records: The lines, a string tensor.
        record_defaults: A list of tensors, one for each column: its dtype is that of the column,
            its element, if there is one, stands for an empty field.
        field_delim: The character between fields, a str.
        use_quote_delim: Whether quotation marks enclose fields. A bool.
        name: Name of the operation, a str. None: a default name.
        na_value: Another text that means an empty field, a str.
        select_cols: Which columns are wanted, ascending, a list of ints. None: all.

    Returns:
        A list of tensors, one for each column, of the shape of `records`.

    Raises:
        ValueError: select_cols is not ascending, negative, or of another length.
        errors.InvalidArgumentError: In run(): a line has other fields.
    """
    if select_cols is not None:
        if any(left >= right for left, right in zip(select_cols, select_cols[1:])):
            raise ValueError(f"select_cols is not strictly increasing. It is {select_cols}")
        if select_cols and select_cols[0] < 0:
            raise ValueError(f"select_cols contains negative values. It is {select_cols}")
        if len(select_cols) != len(record_defaults):
            raise ValueError("Length of select_cols and record_defaults do not match.")
    return raw_ops.DecodeCSV(
        records=records, record_defaults=record_defaults, field_delim=field_delim,
        use_quote_delim=use_quote_delim, na_value=na_value, select_cols=select_cols or [],
        name=name,
    )  # fmt: skip


__all__ = with_names(globals())
