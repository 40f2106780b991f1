# SPDX-License-Identifier: Apache-2.0
"""PipeModeDataset: records of FIFOs that a thread writes, as SageMaker does."""

import os
import struct
import threading
import time

import harness
import pytest
import sluice as sl
from sluice.python_io import TFRecordWriter

MAGIC = struct.pack("<I", 0xCED7230A)


def record_io(data):
    """The bytes of one record, cut at each magic number as MXNet's writer cuts them."""
    parts = data.split(MAGIC)
    out = b""
    for i, part in enumerate(parts):
        flag = 0 if len(parts) == 1 else 1 if i == 0 else 3 if i == len(parts) - 1 else 2
        out += MAGIC + struct.pack("<I", flag << 29 | len(part)) + part + bytes(-len(part) % 4)
    return out


class Channel:
    """A channel whose epochs a thread writes, each to its FIFO once a reader has opened it."""

    def __init__(self, folder, epochs=(), name="train", pause=None):
        self.folder, self.name = str(folder), name
        self.state = os.path.join(self.folder, "state")
        self._thread = threading.Thread(target=self._write, args=(epochs, pause), daemon=True)
        self._thread.start()

    def _write(self, epochs, pause):
        for i, data in enumerate(epochs):
            path = os.path.join(self.folder, f"{self.name}_{i}")
            os.mkfifo(path)
            with open(path, "wb", buffering=0) as fifo:
                middle = len(data) // 2
                fifo.write(data[:middle])
                if pause is not None:
                    pause.wait()
                fifo.write(data[middle:])

    def data_set(self, record_format="RecordIO", **more):
        return sl.contrib.data.PipeModeDataset(
            self.name, record_format, self.state, self.folder, **more
        )


def read(dataset, target=""):
    """The elements of one run, or those before an error, and the error."""
    with sl.Graph().as_default():
        element = dataset().make_one_shot_iterator().get_next()
        found = []
        with sl.Session(target) as session:
            try:
                while True:
                    found.append(session.run(element))
            except sl.errors.OutOfRangeError:
                return found, None
            except sl.errors.OpError as error:
                return found, error


RECORDS = [b"one", b"", b"four", MAGIC + b"x" + MAGIC, bytes(100_000), b"a" * 7]


def test_record_io_is_read_epoch_by_epoch(tmp_path):
    epochs = [b"".join(map(record_io, RECORDS)), record_io(b"second"), b""]
    channel = Channel(tmp_path, epochs)
    assert read(channel.data_set) == (RECORDS, None)
    assert read(channel.data_set) == ([b"second"], None)
    assert read(channel.data_set) == ([], None)
    with open(os.path.join(channel.state, "train")) as state:
        assert state.read() == "3\n"


def test_repeat_takes_the_next_epochs(tmp_path):
    channel = Channel(tmp_path, [record_io(b"a") + record_io(b"b"), record_io(b"c")])
    assert read(lambda: channel.data_set().repeat(2)) == ([b"a", b"b", b"c"], None)


def test_tf_records_and_lines(tmp_path):
    path = str(tmp_path / "records")
    with TFRecordWriter(path) as writer:
        for record in RECORDS:
            writer.write(record)
    with open(path, "rb") as file:
        channel = Channel(tmp_path, [file.read()])
    assert read(lambda: channel.data_set("TFRecord")) == (RECORDS, None)
    channel = Channel(tmp_path, [b"a\n\nb c\r\nlast"], "lines")
    assert read(lambda: channel.data_set("TextLine")) == ([b"a", b"", b"b c", b"last"], None)


def test_a_server_reads_it(tmp_path):
    channel = Channel(tmp_path, [record_io(b"a")])
    server = sl.train.Server({"local": ["localhost:0"]})
    assert read(channel.data_set, server.target) == ([b"a"], None)
    server.stop()


def test_each_rank_takes_its_records(tmp_path):
    data = b"".join(record_io(b"%d" % i) for i in range(7))
    for rank in range(3):
        channel = Channel(tmp_path, [data], f"rank{rank}")
        found, error = read(lambda c=channel, r=rank: c.data_set(num_shards=3, shard_index=r))
        assert error is None and found == [b"%d" % i for i in range(rank, 7, 3)]


def test_records_come_before_the_writer_ends(tmp_path):
    resume = threading.Event()
    channel = Channel(tmp_path, [record_io(b"first") + record_io(b"later")], pause=resume)
    with sl.Graph().as_default():
        element = channel.data_set().make_one_shot_iterator().get_next()
        with sl.Session() as session:
            assert session.run(element) == b"first"
            resume.set()
            assert session.run(element) == b"later"


@pytest.mark.parametrize("cut", [3, 8, 12, 17])
def test_a_writer_that_dies_inside_a_record_is_an_error(tmp_path, cut):
    whole = record_io(b"whole record")
    channel = Channel(tmp_path, [b"", whole + record_io(b"the next one")[:cut]])
    assert read(channel.data_set) == ([], None)
    found, error = read(channel.data_set)
    assert found == [b"whole record"] and isinstance(error, sl.errors.DataLossError)
    for text in ('channel "train", epoch 1', f"truncated record at {len(whole)} of", "train_1"):
        assert text in error.message, error.message


@pytest.mark.parametrize("cut", [5, 14, 20])
def test_a_cut_tf_record_is_an_error(tmp_path, cut):
    path = str(tmp_path / "records")
    with TFRecordWriter(path) as writer:
        writer.write(b"0123456789")
    with open(path, "rb") as file:
        whole = file.read()
    channel = Channel(tmp_path, [whole + whole[:cut]])
    found, error = read(lambda: channel.data_set("TFRecord"))
    assert found == [b"0123456789"] and isinstance(error, sl.errors.DataLossError)
    assert f"truncated record at {len(whole)}" in error.message, error.message


def test_other_bytes_are_an_error(tmp_path):
    middle = MAGIC + struct.pack("<I", 2 << 29 | 1) + b"abcd"
    reserved = MAGIC + struct.pack("<I", 5 << 29 | 1) + b"abcd"
    unfinished = MAGIC + struct.pack("<I", 1 << 29 | 4) + b"abcd" + record_io(b"x")
    for i, data in enumerate([b"no magic number", middle, reserved, unfinished]):
        channel = Channel(tmp_path, [data], f"bad{i}")
        found, error = read(channel.data_set)
        assert found == [] and isinstance(error, sl.errors.DataLossError)
        assert "corrupted record at 0 of" in error.message, error.message


def test_a_fifo_that_never_appears_is_an_error_after_a_while(tmp_path):
    channel = Channel(tmp_path)
    found, error = read(lambda: channel.data_set(timeout=1))
    assert found == [] and isinstance(error, sl.errors.DeadlineExceededError)
    for text in ('channel "train", epoch 0', str(tmp_path / "train_0"), "does not exist"):
        assert text in error.message, error.message
    os.mkfifo(str(tmp_path / "train_0"))
    error = read(lambda: channel.data_set(timeout=1))[1]
    assert "no process writes to" in error.message, error.message


def test_the_wait_can_be_cancelled(tmp_path):
    channel = Channel(tmp_path)
    with sl.Graph().as_default():
        element = channel.data_set().make_one_shot_iterator().get_next()
        options = sl.RunOptions(timeout_in_ms=300)
        before = time.monotonic()
        with sl.Session() as session:
            harness.raises(
                sl.errors.DeadlineExceededError, lambda: session.run(element, options=options)
            )
        assert time.monotonic() - before < 30


def test_mistakes(tmp_path):
    channel = Channel(tmp_path)
    harness.raises(ValueError, lambda: channel.data_set("Avro"), "record_format")
    for more in ({"num_shards": 0}, {"num_shards": 2, "shard_index": 2}, {"timeout": -1}):
        error = read(lambda more=more: channel.data_set(**more))[1]
        assert isinstance(error, sl.errors.InvalidArgumentError), error
    for name in ("", "a/b", "..", "a\0b"):
        channel.name = name
        assert "name of a channel" in read(channel.data_set)[1].message
    channel.name = "train"
    os.makedirs(channel.state)
    with open(os.path.join(channel.state, "train"), "w") as state:
        state.write("many")
    error = read(channel.data_set)[1]
    assert "does not contain the number of an epoch" in error.message, error.message
