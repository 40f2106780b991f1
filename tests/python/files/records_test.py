# SPDX-License-Identifier: Apache-2.0
"""TFRecord files of this machine: checksums, and files that are not as they say."""

import os
import struct

import harness
import sluice as sl
from sluice.files import crc32c


def test_the_checksum_is_that_of_the_standard():
    assert crc32c.crc32c(b"") == 0
    assert crc32c.crc32c(b"123456789") == 0xE3069283
    assert crc32c.crc32c(bytes(32)) == 0x8A9136AA


def test_long_data_have_the_same_checksum():
    data = bytes(i * 7 % 251 for i in range(50_000))
    for size in (16 << 10, (16 << 10) + 1, 50_000):
        state = 0xFFFFFFFF
        for byte in data[:size]:
            state = crc32c._TABLE[(state ^ byte) & 255] ^ state >> 8
        assert crc32c.crc32c(data[:size]) == state ^ 0xFFFFFFFF, size


def test_a_length_that_the_file_does_not_have_takes_no_memory(tmp_path):
    path = os.fspath(tmp_path / "x")
    length = struct.pack("<Q", 1 << 60)
    with open(path, "wb") as file:
        file.write(length + struct.pack("<I", crc32c.masked(length)) + b"short")
    records = sl.io.tf_record_iterator(path)
    harness.raises(sl.errors.DataLossError, lambda: list(records), "truncated record at 0")


def test_damaged_compressed_files_are_errors(tmp_path):
    path = os.fspath(tmp_path / "x")
    with sl.io.TFRecordWriter(path, "GZIP") as writer:
        writer.write(os.urandom(1000))
    with open(path, "rb") as file:
        whole = file.read()
    for data in (whole[:200], whole[:50] + b"\xff" * 20 + whole[70:], b"not compressed"):
        with open(path, "wb") as file:
            file.write(data)
        records = sl.io.tf_record_iterator(path, "GZIP")
        harness.raises(sl.errors.DataLossError, lambda r=records: list(r), "compressed file")


def test_a_closed_writer_takes_nothing(tmp_path):
    writer = sl.io.TFRecordWriter(os.fspath(tmp_path / "x"))
    writer.close()
    writer.close()
    harness.raises(sl.errors.FailedPreconditionError, lambda: writer.write(b"a"), "closed")
