# SPDX-License-Identifier: Apache-2.0
"""A server whose log nobody reads, and one that may not write large files: both serve on."""

import os
import resource
import subprocess
import sys
import time

import numpy as np
import pytest
import sluice as sl
from sluice import raw_ops

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import harness  # noqa: E402

SERVER = os.path.join(os.environ["SLUICE_BUILD"], "sluice-server")
LIMIT = 100_000  # bytes of a file


class Server:
    """A server whose standard error is a pipe."""

    def __init__(self, *options, **popen):
        command = [SERVER, "--cluster", '{"local": ["localhost:0"]}', *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **popen
        )
        self.target = self.process.stdout.readline().split()[-1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.process.stderr.close()


def log_much(target, lines):
    """Runs steps whose server logs so many lines."""
    config = sl.ConfigProto(log_device_placement=True)
    with sl.Graph().as_default():
        outputs = [sl.identity(sl.constant(float(i)), name=f"node{i}" * 20) for i in range(lines)]
        with sl.Session(target, config=config) as session:
            assert session.run(outputs[-1]) == lines - 1


def test_a_reader_of_the_log_that_has_gone_ends_nothing():
    with Server() as server:
        server.process.stderr.close()
        log_much(server.target, 10)
        log_much(server.target, 10)
        assert server.process.poll() is None


def test_a_reader_of_the_log_that_does_not_read_delays_nothing():
    with Server() as server:
        begin = time.monotonic()
        for _ in range(4):
            log_much(server.target, 2000)  # about 400 bytes each, of which the server keeps 1 MB
        assert time.monotonic() - begin < 50
        server.process.terminate()
        lines = server.process.stderr.read().splitlines()
        assert server.process.wait() == 0
        assert "were dropped" in " ".join(lines), lines[-1]


def test_a_name_with_a_line_break_is_one_line():
    with Server() as server:
        config = sl.ConfigProto()
        config.device_filters.append("/job:local\n2026-01-01 00:00:00.000000 I invented")
        with sl.Graph().as_default():
            try:
                with sl.Session(server.target, config=config) as session:
                    session.run(sl.constant(1.0))
            except sl.errors.OpError:
                pass  # it need not be taken
        server.process.terminate()
        lines = server.process.stderr.read().splitlines()
        assert not [line for line in lines if line.startswith("2026-01-01")], lines


@pytest.mark.parametrize("op", ["WriteFile", "SaveV2"])
def test_a_file_that_may_not_grow_is_an_error(tmp_path, op):
    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

    with Server("--log_level=off", preexec_fn=limited) as server, sl.Graph().as_default():
        value = sl.placeholder(sl.string, [])
        write = raw_ops.WriteFile(filename=str(tmp_path / "large"), contents=value)
        save = raw_ops.SaveV2(
            prefix=str(tmp_path / "checkpoint"), tensor_names=["x"], shape_and_slices=[""],
            tensors=[sl.constant(np.zeros(LIMIT, np.float32))],
        )  # fmt: skip
        with sl.Session(server.target) as session:
            harness.raises(
                sl.errors.OpError,
                lambda: session.run(save if op == "SaveV2" else write, {value: b"x" * (2 * LIMIT)}),
                "File too large",
            )
            session.run(write, {value: b"x"})
        assert server.process.poll() is None
