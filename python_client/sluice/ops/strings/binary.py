# SPDX-License-Identifier: Apache-2.0
"""Strings as bytes: base64, and numbers."""

from .. import raw_ops
from ..building import given, thin, with_names

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


__all__ = with_names(globals())
