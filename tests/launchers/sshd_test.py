# SPDX-License-Identifier: Apache-2.0
"""sluice run by a real ssh to this machine, under a name that stands for another one."""

import getpass
import os
import shutil
import subprocess

import pytest
from processes import run, start, wait_for_end
from sluice.launching.hosts import free_ports

SSHD = shutil.which("sshd", path="/usr/sbin:/sbin:" + os.environ["PATH"])
# 127.0.0.2 is not a name of this machine, as far as `sluice run` knows.
HOST = "127.0.0.2"
pytestmark = pytest.mark.skipif(
    SSHD is None or os.getuid() != 0, reason="no sshd (Debian: openssh-server), or not root"
)


@pytest.fixture
def options(tmp_path):
    """The options for two tasks here and one behind an sshd of our own."""
    for name in ("host", "user"):
        subprocess.check_call(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", tmp_path / name]
        )
    (port,) = free_ports(1)
    tmp_path.chmod(0o700)
    os.makedirs("/run/sshd", exist_ok=True)
    (tmp_path / "config").write_text(
        f"Port {port}\nListenAddress {HOST}\nHostKey {tmp_path}/host\nPidFile none\n"
        f"AuthorizedKeysFile {tmp_path}/user.pub\nStrictModes no\nUsePAM no\n"
        "PermitRootLogin yes\nPasswordAuthentication no\n"
    )
    server = subprocess.Popen([SSHD, "-D", "-e", "-f", tmp_path / "config"])
    ssh = (
        f"ssh -p {port} -i {tmp_path}/user -o BatchMode=yes -o StrictHostKeyChecking=no"
        f" -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -o ConnectionAttempts=30"
        f" -l {getpass.getuser()}"
    )
    yield ["-H", f"localhost:2,{HOST}:1", "--ssh", ssh]
    server.terminate()
    server.wait(60)


def test_a_task_runs_there(options):
    program = 'echo "$SLUICE_RANK at $SLUICE_HOST, $SSH_CONNECTION"'
    done = run(*options, "--grace", "60", "--workers", "3", "sh", "-c", program)
    assert "[worker:2] 2 at 127.0.0.2, 127.0.0." in done.stdout, done.stderr


@pytest.mark.parametrize("number", [2, 9])
def test_tasks_end_with_the_launcher(options, number):
    process = start(*options, "--workers", "3", "sh", "-c", "sleep 600 & echo $$ $!; wait")
    lines = [process.stdout.readline() for _ in range(3)]
    pids = [int(pid) for line in lines for pid in line.split()[1:]]
    assert len(pids) == 6, lines
    process.send_signal(number)
    process.communicate(timeout=100)
    wait_for_end(pids)
