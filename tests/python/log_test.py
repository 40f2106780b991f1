# SPDX-License-Identifier: Apache-2.0
"""Which log lines reach the user's terminal: SLUICE_LOG_LEVEL, --log_level, --log_file."""

import os
import subprocess
import sys
import tempfile

SERVER = os.path.join(os.environ["SLUICE_BUILD"], "sluice-server")
# A session reports the options that it ignores at INFO.
PROGRAM = """
import sluice as sl
server = sl.train.Server({"local": ["localhost:0"]}) if IN_SERVER else None
config = sl.ConfigProto(log_device_placement=PLACEMENT)
config.graph_options.infer_shapes = True
with sl.Session(server.target if server else "", config=config) as session:
    print(session.run(sl.identity(sl.constant(3.0), name="reported")))
"""


def errors_of(program, level=None):
    """Exit status and standard error of a Python program under SLUICE_LOG_LEVEL."""
    environment = dict(os.environ)
    environment.pop("SLUICE_LOG_LEVEL", None)
    if level is not None:
        environment["SLUICE_LOG_LEVEL"] = level
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stderr


def test_a_client_is_silent_unless_asked():
    for in_server in (True, False):
        program = PROGRAM.replace("IN_SERVER", str(in_server)).replace("PLACEMENT", "False")
        assert errors_of(program) == (0, ""), errors_of(program)
        status, errors = errors_of(program, "Info")
        assert status == 0 and " I " in errors and "infer_shapes" in errors, errors


def test_log_device_placement_is_asked_for():
    program = PROGRAM.replace("IN_SERVER", "False").replace("PLACEMENT", "True")
    status, errors = errors_of(program)
    assert status == 0 and "reported: (Identity): /job:" in errors, errors
    assert "infer_shapes" not in errors, errors
    assert errors_of(program, "off") == (0, "")


def test_a_wrong_level_is_refused():
    status, errors = errors_of("import sluice", "loud")
    assert status == 1 and 'SLUICE_LOG_LEVEL: "loud" is not a log level' in errors, errors


def test_the_level_of_the_client_has_names():
    program = "import sluice as sl\nsl.logging.set_verbosity('INFO')\nsl.logging.info('hello')"
    assert errors_of(program) == (0, "hello\n")
    program = program.replace("INFO", "ERROR")
    assert errors_of(program) == (0, "")


def started(*options):
    """The standard error of a server that is started and stopped."""
    command = [SERVER, "--cluster", '{"local": ["localhost:0"]}', *options]
    environment = dict(os.environ)
    environment.pop("SLUICE_LOG_LEVEL", None)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    ) as process:
        if "listens" in process.stdout.readline():
            process.terminate()
        errors = process.stderr.read()
    return process.returncode, errors


def test_levels_and_files_of_a_server():
    status, errors = started()
    assert status == 0 and "stops on signal" in errors, errors
    assert started("--log_level=warning") == (0, "")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "server.log")
        assert started("--log-file", path) == (0, "")
        with open(path, encoding="utf-8") as file:
            assert "stops on signal" in file.read()
    status, errors = started("--log_level=loud")
    assert status == 2 and '--log_level: "loud"' in errors, errors
    status, errors = started("--log_file=/dev/null/server.log")
    assert status == 2 and "/dev/null/server.log" in errors, errors
