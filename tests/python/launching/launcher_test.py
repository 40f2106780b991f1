# SPDX-License-Identifier: Apache-2.0
"""sluice run: output, exit status, and the end of all processes."""

import os
import re
import signal
import subprocess

import processes
import pytest
from conftest import BUILD
from processes import PYTHON, command, run, wait_for_end


def start(program, size=2):
    return processes.start("-np", str(size), PYTHON, "-c", program)


# Each rank starts a process of its own, and says its number.
HANG = """
import os, signal, subprocess, sys, time
child = subprocess.Popen(["sleep", "600"])
print("pids", os.getpid(), child.pid)
time.sleep(600)
"""


def pids(process, size=2):
    """The processes that the ranks of HANG are and started."""
    lines = [process.stdout.readline() for _ in range(size)]
    assert all(re.fullmatch(r"\[\d\] pids \d+ \d+\n", line) for line in lines), lines
    return [int(number) for line in lines for number in line.split()[2:]]


def test_lines_have_the_rank_and_stay_on_their_stream():
    program = "import os, sys; print('a\\nb'); print('c', file=sys.stderr); sys.stdout.write('d')"
    done = run("-np", "2", PYTHON, "-c", program)
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == sorted(
        f"[{rank}] {text}" for rank in range(2) for text in "abd"
    )
    assert sorted(done.stderr.splitlines()) == ["[0] c", "[1] c"]


def test_ranks_are_in_the_environment():
    names = "RANK SIZE LOCAL_RANK LOCAL_SIZE CROSS_RANK CROSS_SIZE"
    program = f"import os; print(*[os.environ['SLUICE_' + n] for n in '{names}'.split()])"
    done = run("-H", "localhost:2,127.0.0.1", PYTHON, "-c", program)
    assert sorted(done.stdout.splitlines()) == [f"[{r}] {r} 3 {r} 3 0 1" for r in range(3)]


def test_a_rank_that_fails_ends_the_others_and_gives_the_status():
    program = "import os, sys, time; sys.exit(3) if os.environ['SLUICE_RANK'] == '1' else None; " \
              "time.sleep(600)"  # fmt: skip
    done = run("-np", "3", PYTHON, "-c", program)
    assert done.returncode == 3
    assert re.search(r"rank 1 \(process \d+\) exited with status 3; the others", done.stderr)


def test_a_rank_that_a_signal_ends():
    done = run("-np", "1", PYTHON, "-c", "import os; os.kill(os.getpid(), 9)")
    assert done.returncode == 128 + 9 and "was ended by SIGKILL" in done.stderr


def test_what_a_rank_leaves_behind_ends_with_it():
    process = start("import subprocess; print('pids', 1, subprocess.Popen(['sleep', '600']).pid)")
    left = [pid for pid in pids(process) if pid != 1]
    assert process.wait(60) == 0
    wait_for_end(left)
    process.communicate()


@pytest.mark.parametrize("number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signals_end_all(number, status):
    process = start(HANG)
    found = pids(process)
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == status and "the ranks are ended" in errors
    wait_for_end(found)


def test_ranks_that_ignore_a_signal_are_killed():
    process = start(HANG.replace("child =", "signal.signal(2, signal.SIG_IGN); child ="))
    found = pids(process)
    process.send_signal(signal.SIGINT)
    assert "the ranks are ended" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130
    wait_for_end(found)


def test_all_end_when_the_launcher_is_killed():
    process = start(HANG)
    found = pids(process)
    process.kill()
    process.communicate(timeout=60)
    wait_for_end(found)


@pytest.mark.parametrize(
    "arguments, text",
    [
        (["-np", "2", "no-such-program"], 'there is no program "no-such-program"'),
        (["-np", "2", os.path.join(BUILD, "build.ninja")], "is not executable: write `sluice run"),
        (["-np", "0", PYTHON], '"0" is not a number of processes'),
        ([PYTHON], "give the number of processes"),
        (["-np", "2"], "PROGRAM"),
        (["-np", "3", "-H", "localhost:2", PYTHON], "3 processes are more than the 2 slots"),
        (["-np", "2", "--workers", "2", PYTHON], "not both"),
        (["--ps", "2", PYTHON], "--workers W"),
        (["--hosts=-oProxyCommand=x:2", PYTHON], "must be HOST:SLOTS"),
        (["-H", "localhost:x", PYTHON], '"localhost:x" must be HOST:SLOTS'),
    ],
)
def test_wrong_options(arguments, text):
    done = run(*arguments)
    assert done.returncode == 2 and text in done.stderr, done.stderr


def test_a_rank_that_does_not_come_is_named():
    program = """
import os, sys
os.environ["SLUICE_RENDEZVOUS_TIMEOUT"] = "1"
if os.environ["SLUICE_RANK"] == "0":
    import sluice.hvd
    sluice.hvd.init()
import time; time.sleep(600)
"""
    environment = dict(os.environ, SLUICE_RENDEZVOUS_TIMEOUT="0.5")
    done = subprocess.run(command("-np", "2", PYTHON, "-c", program), capture_output=True,
                          text=True, timeout=60, env=environment)  # fmt: skip
    assert done.returncode == 1
    assert "[0] " in done.stderr and "rank 1 of 2 did not come within 0.5 s" in done.stderr
