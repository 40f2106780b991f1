# SPDX-License-Identifier: Apache-2.0
"""Protocol messages of any type as tensors."""

from ..building import thin, with_names

_SOURCE = """\
        descriptor_source: Where the message types are described, a str: the name of a file with a
            FileDescriptorSet; "bytes://" followed by one; or "local://", the types that the server
            has.
"""

decode_proto = thin(
    "DecodeProtoV2",
    "bytes message_type field_names output_types descriptor_source='local://'"
    " message_format='binary' sanitize=False",
    f"""Reads fields of protocol messages.

    Args:
        bytes: The messages, a string tensor.
        message_type: Full name of the message type, a str.
        field_names: Which fields, a list of str.
        output_types: Dtypes of the fields, a list.
{_SOURCE}        message_format: "binary" or "text".
        sanitize: Whether messages are written again before they are read. A bool.

    Returns:
        A tuple: sizes, an int32 tensor [..., fields] of how many values each field has; and values,
        a list of tensors [..., most values].
    """,
)
encode_proto = thin(
    "EncodeProto",
    "sizes values field_names message_type descriptor_source='local://'",
    f"""Writes protocol messages.

    Args:
        sizes: How many values each field has, an int32 tensor [..., fields].
        values: The values of each field, a list of tensors [..., most values].
        field_names: Which fields, a list of str.
        message_type: Full name of the message type, a str.
{_SOURCE}
    Returns:
        A string tensor.
    """,
)

__all__ = with_names(globals())
