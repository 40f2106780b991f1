# SPDX-License-Identifier: Apache-2.0
"""Sounds as the bytes of files."""

from ..building import thin, with_names

decode_wav = thin(
    "DecodeWav",
    "contents desired_channels=-1 desired_samples=-1",
    """Decodes a WAV file with 16-bit samples.

    Args:
        contents: The bytes of the file, a string scalar.
        desired_channels: How many channels, an int. -1: as many as the file has.
        desired_samples: How many samples, an int; missing ones are 0. -1: as many as it has.

    Returns:
        A tuple: audio, a float32 tensor [samples, channels] within -1 and 1; and sample_rate, an
        int32 scalar.

    Raises:
        errors.InvalidArgumentError: In run(): the bytes are another thing.
    """,
)
encode_wav = thin(
    "EncodeWav",
    "audio sample_rate",
    """Encodes sound as a WAV file with 16-bit samples.

    Args:
        audio: A float32 tensor [samples, channels] within -1 and 1.
        sample_rate: Samples in a second, an int or int32 scalar.

    Returns:
        A string scalar.
    """,
)

__all__ = with_names(globals())
