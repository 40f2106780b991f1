# SPDX-License-Identifier: Apache-2.0
"""The command `sluice`: its options and what it makes of answers."""

import contextlib
import io
import json
import os
import socket
import subprocess
import threading
import time

import harness
import sluice as sl
from sluice._sluice import version as VERSION  # noqa: N812
from sluice.cli import diagnosis, doctor, figures, main, progress, tasks

PS, WORKER = "/job:ps/replica:0/task:0", "/job:worker/replica:0/task:10"


def ran(*arguments):
    """Status, standard output and standard error."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        try:
            status = main(arguments)
        except SystemExit as end:
            status = end.code
    return status, out.getvalue(), errors.getvalue()


def said(*arguments):
    """Status and all that was printed."""
    status, out, errors = ran(*arguments)
    return status, out + errors


def test_sizes():
    assert [figures.parse_bytes(t) for t in ("1", "4k", "64 MB", "2G")] == [
        1,
        4096,
        64 << 20,
        2 << 30,
    ]
    for text in ("", "0", "-1", "1T", "x"):
        harness.raises(ValueError, lambda text=text: figures.parse_bytes(text), "not a size")
    assert figures.bytes_text(64 << 20) == "64 MB" and figures.bytes_text(1000) == "1000 B"


def test_figures():
    assert figures.seconds_text(12.34e-6) == "12.3 us" and figures.seconds_text(0.5) == "500.00 ms"
    assert figures.rate_text(2.5e9) == "2.50 GB/s" and figures.rate_text(3e5) == "0.3 MB/s"
    assert figures.median([3, 1, 2]) == 2 and figures.median([4, 1, 2, 3]) == 2.5
    assert list(figures.columns([("a", "b"), ("long", "1")], right=(1,))) == ["a     b", "long  1"]


def test_a_cluster_is_json_or_a_file():
    found = tasks.of_spec('{"ps": ["h:1"], "worker": {"10": "h:2"}}')
    assert found == {PS: "h:1", WORKER: "h:2"}
    harness.raises(ValueError, lambda: tasks.of_spec("nowhere.json"), "neither")
    harness.raises(ValueError, lambda: tasks.of_spec("{"), "--cluster", "not a cluster", "column 2")
    for spec, text in (
        ('{"ps": ["h:70000"]}', "/job:ps/task:0 has port 70000, which is out of range"),
        ('{"ps": ["h"]}', '"h" of /job:ps/task:0 must be HOST:PORT'),
        ('{"ps": 3}', "not a cluster"),
    ):
        harness.raises(ValueError, lambda spec=spec: tasks.of_spec(spec), text)


def test_tf_config_is_named_with_the_position():
    found = tasks.of_tf_config('{"cluster": {"ps": ["h:1"]}, "task": {"type": "ps", "index": 0}}')
    assert found == {PS: "h:1"}
    for text, words in (
        ('{"cluster": {"ps":\n oops', ("TF_CONFIG", "line 2 column 2")),
        ("{}", ("TF_CONFIG", '"cluster"')),
        ('{"cluster": {"ps": ["h:99999"]}}', ("TF_CONFIG", "99999")),
    ):
        harness.raises(ValueError, lambda text=text: tasks.of_tf_config(text), *words)


def test_tasks_in_order():
    names = [f"/job:w/replica:0/task:{i}" for i in (10, 2)]
    assert tasks.in_order(names + [PS]) == [PS, names[1], names[0]]


def test_pairs_of_answers():
    far, wall = tasks.PassedOver("shm", "far"), tasks.PassedOver("any", "wall")
    known = {
        PS: tasks.Task(PS, "h:1", choices={WORKER: tasks.Choice("h:2", "tcp", [far])}),
        WORKER: tasks.Task(WORKER, "h:2", choices={PS: tasks.Choice("h:1", "", [wall])}),
    }
    there, back = doctor.examine(known)
    assert (there.transport, there.passed_over, there.error) == ("tcp", [far], "")
    assert back.transport == "" and "wall" in back.error
    known[WORKER].choices.clear()
    assert "does not know /job:ps/task:0" in doctor.examine(known)[1].error
    known[PS].error = "is away"
    assert all(pair.error == "/job:ps/task:0 at h:1 is away" for pair in doctor.examine(known))


def test_reasons_for_no_gpu_are_named_once():
    other = "/job:worker/replica:0/task:1"
    known = {
        PS: tasks.Task(PS, "h:1", no_gpu="no driver"),
        WORKER: tasks.Task(WORKER, "h:2", gpus=2),
        other: tasks.Task(other, "h:3", no_gpu="no driver"),
    }
    assert list(doctor.gpu_lines(known)) == [
        "/job:worker/task:10 has GPUs: 2",
        "no GPU: no driver (/job:ps/task:0, /job:worker/task:1)",
    ]


def test_options_that_make_no_sense():
    os.environ.pop("TF_CONFIG", None)
    for arguments, text in (
        ((), "COMMAND"),
        (("docter",), "docter"),
        (("doctor", "h:1", "h:2"), "h:2"),
        (("devices", "h:1", "stray"), "stray"),
        (("devices", "--clustr", "{}"), "--clustr"),
        (("devices",), "which cluster?"),
        (("devices", "h"), "must be HOST:PORT"),
        (("devices", "h:70000"), "out of range"),
        (("doctor", "h:1", "--timeout=-1"), "--timeout"),
        (("doctor", "h:1", "--seconds=0"), "--seconds"),
        (("bench", "transport", "stray"), "stray"),
        (("doctor",), "which cluster?"),
        (("doctor", "h:1", "--cluster", "{}"), "not both"),
        (("doctor", "--bytes", "none"), "--bytes"),
    ):
        status, words = said(*arguments)
        assert status == 2 and text in words, words


def test_a_port_without_a_server():
    status, out, _ = ran("doctor", "--cluster", '{"ps": ["127.0.0.1:1"]}', "--json")
    answer = json.loads(out)
    assert status == 1 and answer["pairs"] == []
    assert "nothing listens at port 1" in answer["tasks"][0]["error"], out
    status, out, errors = ran("doctor", "127.0.0.1:1")
    assert (status, out) == (1, "") and "127.0.0.1:1 refuses the connection" in errors, errors


def test_rdma_report():
    status, out, _ = ran("doctor", "--rdma")
    if os.path.exists("/sys/class/infiniband"):
        assert "device " in out, out
    else:
        assert status == 1 and "cannot be used: this machine has no RDMA device" in out, out
    status, words = said("doctor", "--rdma", "--rdma-options=--rdma_mtu=large")
    assert status == 1 and '--rdma_mtu: "large" is not a whole number' in words, words


def test_help_and_version_go_to_standard_output():
    for arguments, text in (
        (("--version",), "sluice "),
        (("--help",), "devices"),
        (("devices", "--help"), "--cluster"),
        (("doctor", "--help"), "--no-measure"),
    ):
        status, out, errors = ran(*arguments)
        assert (status, errors) == (0, "") and text in out, (out, errors)


def program(*arguments):
    """Status, standard output and standard error of the program `sluice`."""
    command = [os.path.join(os.environ["SLUICE_BUILD"], "sluice"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def test_the_server_is_a_subcommand():
    status, out, errors = program("server", "--version")
    assert (status, errors) == (0, "") and out.startswith("sluice-server "), (out, errors)
    status, out, errors = program("server", "--task=-1")
    assert (status, out) == (2, "") and "--task: -1" in errors, errors
    status, out, _ = program("server", "--help")
    assert status == 0 and "--asynchronous_devices" in out, out


@contextlib.contextmanager
def listener(answer):
    """The address of a server that reads once and answers with these bytes; None: nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve():
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = server.accept()
                    connection.recv(1000)
                    if answer is not None:
                        connection.sendall(answer)
                        connection.close()
                    held.append(connection)

        held = []
        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def test_the_listener_of_a_used_port_is_named():
    error = sl.errors.UnavailableError(None, None, "failed to connect")
    settings = bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
    for answer, words in (
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", "is a web server"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "is an SSH server"),
        (b"220 mail\r\n", "is not a gRPC server"),
        (None, "accepts connections but does not answer"),
        (settings, "does not answer: failed to connect"),
    ):
        with listener(answer) as address:
            text = diagnosis.explain(address, error, timeout=0.5)
            assert words in text, (answer, text)
    with listener(settings) as address:
        os.environ["SLUICE_TLS_CA"] = "ca.pem"
        try:
            assert "does not use TLS" in diagnosis.explain(address, error, timeout=0.5)
        finally:
            del os.environ["SLUICE_TLS_CA"]
    text = diagnosis.explain("no-such-host.invalid:1", error)
    assert 'the name "no-such-host.invalid" is not resolved' in text, text
    assert "must be HOST:PORT" in diagnosis.explain("h", error)


def test_devices_of_a_cluster():
    server = sl.train.Server({"ps": ["localhost:0"]})
    with contextlib.ExitStack() as end:
        end.callback(server.stop)
        spec = json.dumps({"ps": [f"localhost:{server.port}"]})
        status, out, errors = ran("devices", "--cluster", spec, "--json")
        (task,) = json.loads(out)
        (device,) = task["devices"]
        assert status == 0 and device["name"] == PS + "/device:CPU:0", (out, errors)
        assert device["kernels"] > 500 and device["memory"] > 0, out
        assert task["version"] == VERSION, out
        status, out, _ = ran("devices", f"localhost:{server.port}")
        assert status == 0 and "/job:ps/task:0/device:CPU:0" in out, out
        stranger = json.dumps({"ps": ["localhost:1"], "chief": [f"localhost:{server.port}"]})
        status, out, _ = ran("devices", "--cluster", stranger)
        assert status == 1 and "is another task: /job:ps/task:0" in out, out
        assert "/job:ps/task:0 at localhost:1 refuses the connection" in out, out


def test_progress_is_reported_once_it_takes_long():
    out = io.StringIO()
    with progress.Progress("sluice test", out, first=0.05, every=0.05) as reports:
        reports.step("first")
        time.sleep(0.08)
        reports.step("second")
        time.sleep(0.06)
    assert "sluice test: first, 0 s\n" in out.getvalue() and "second" in out.getvalue()
    out = io.StringIO()
    with progress.Progress("sluice test", out, first=60):
        pass
    assert out.getvalue() == ""
