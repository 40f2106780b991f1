# SPDX-License-Identifier: Apache-2.0
"""The programs of examples/ that take several processes, and recovery after a failure."""

import os
import re
import signal
import subprocess

import pytest
import sluice as sl
from conftest import ROOT
from processes import PYTHON, command, run, wait_for_end

EXAMPLES = os.path.join(ROOT, "examples")


def losses(output):
    """The losses in order, of all processes."""
    return [float(text) for text in re.findall(r"loss (\d\S*)", output)]


def example(*arguments):
    """Runs an example to its end: options of `sluice run`, a file of examples/, its arguments.

    Returns its output.
    """
    words = [os.path.join(EXAMPLES, word) if word.endswith(".py") else word for word in arguments]
    at = next(number for number, word in enumerate(words) if word.endswith(".py"))
    done = run(*words[:at], PYTHON, *words[at:])
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_horovod_mnist():
    found = losses(example("-np", "2", "horovod/mnist.py"))
    assert found[-1] < 0.8 * found[0]


def test_large_batch_with_warm_up():
    said = example("-np", "2", "horovod/large_batch.py")
    rates = [float(text) for text in re.findall(r"rate (\S+),", said)]
    # Of the formula: from 0.02 to 2 x 0.02 within 8 steps, and a tenth after step 16.
    wanted = [0.02 + 0.02 * min(step / 8, 1) for step in range(24)]
    wanted[17:] = [rate / 10 for rate in wanted[17:]]
    assert rates == pytest.approx(wanted, abs=6e-5), said
    assert losses(said)[-1] < 0.6 * losses(said)[0], said


def test_large_batch_with_callbacks_of_keras(tmp_path):
    said = example(
        "-np", "2", "horovod/keras_resnet.py", "--checkpoint", str(tmp_path / "weights")
    )  # fmt: skip
    rates = [float(text) for text in re.findall(r"rate (\S+),", said)]
    # At the end of each epoch: a warm-up of two from 0.02 to 2 x 0.02, and a tenth in the last.
    assert rates == pytest.approx([0.03, 0.04, 0.04, 0.04, 0.004], abs=6e-5), said
    assert losses(said)[-1] < 0.6 * losses(said)[0], said
    assert (tmp_path / "weights.index").exists()


def test_records_of_pipes_by_rank(tmp_path):
    said = example("-np", "2", "horovod/pipe_mode.py", "--logs", str(tmp_path))
    assert sorted(re.findall(r"train\d: \d+ records", said)) == [
        "train0: 768 records", "train1: 768 records"
    ]  # fmt: skip
    assert losses(said)[-1] < 0.05 * losses(said)[0], said
    (path,) = tmp_path.iterdir()  # of rank 0 only
    tags = {v.tag for event in sl.train.summary_iterator(str(path)) for v in event.summary.value}
    assert {"loss", "slopes"} <= tags


def test_parameter_servers_and_workers():
    said = example("--ps", "2", "--workers", "2", "cluster/monitored_training.py")
    assert losses(said)[-1] < 0.01, said


def test_replicas_in_step_with_a_backup_worker():
    said = example("--ps", "1", "--workers", "3", "--grace", "1", "cluster/sync_replicas.py")
    found = re.search(r"\[worker:0\] gave \d+ gradients, loss (\S+)", said)
    assert float(found[1]) < 0.1, said


def test_multi_worker_mirrored_strategy_trains_as_one_worker(tmp_path):
    program, said = "cluster/multi_worker_mirrored.py", []
    for count in ("1", "2"):
        model = str(tmp_path / count)
        output = example("--workers", count, program, "--epochs", "2", "--model", model)
        assert f"{count} replicas" in output
        said.append(losses(output))
    alone, together = said
    assert alone[1] < 0.8 * alone[0], alone
    # Both workers say all losses; lines of different workers mix.
    assert sorted(together) == pytest.approx(sorted(2 * alone), abs=2e-3)
    assert sorted(path.name for path in tmp_path.glob("*.index")) == ["1.index", "2.index"]


def test_parameter_server_strategy():
    said = example("--ps", "1", "--workers", "2", "cluster/parameter_server_strategy.py")
    places = re.findall(r"\S+ is on (\S+)", said)
    assert len(places) == 8 and set(places) == {"/job:ps/task:0"}, said
    found = re.search(r"\[worker:0\] made \d+ steps, last loss (\S+)", said)
    assert float(found[1]) < 0.05, said


def test_sharded_checkpoints_survive_a_parameter_server(tmp_path):
    options = ("--ps", "2", "--workers", "1", "--restarts", "1")
    said = example(*options, "cluster/sharded_checkpoints.py", str(tmp_path))
    lines = re.findall(r"step \d+:|restored \S+|\S+ is in \d files", said)
    steps = [f"step {number}:" for number in range(10, 101, 10)]
    assert lines == [*steps[:5], "restored model-50", *steps[5:], "model-100 is in 2 files"], said
    assert losses(said)[-1] < 0.001, said


def test_training_goes_on_after_a_parameter_server_was_killed(tmp_path):
    """The launcher starts it again, and the chief restores the last checkpoint."""
    arguments = ("--ps", "2", "--workers", "1", "--restarts", "2", PYTHON)
    program = os.path.join(EXAMPLES, "cluster", "monitored_training.py")
    process = subprocess.Popen(
        command(*arguments, program, "--checkpoints", str(tmp_path), "--steps", "400"),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    said, pids, killed_after = [], {}, None
    for line in process.stdout:
        said.append(line)
        found = re.fullmatch(r"\[(\w+:\d)\] process (\d+)\n", line)
        if found:
            pids.setdefault(found[1], []).append(int(found[2]))
        found = re.search(r"step (\d+): loss", line)
        if found and int(found[1]) >= 60 and killed_after is None:
            killed_after = len(said)
            os.kill(pids["ps:0"][0], signal.SIGKILL)
    text = "".join(said)
    assert process.wait(100) == 0, text
    assert "task ps:0 (process" in text and "was ended by SIGKILL; restart 1 of 2" in text
    later = "".join(said[killed_after:])
    steps = [int(number) for number in re.findall(r"step (\d+): loss", later)]
    assert min(steps) >= 40 and max(steps) >= 380, text  # a lost state would begin at 0
    assert losses(later)[-1] < 0.01, text
    assert len(pids["ps:0"]) == 2
    wait_for_end([pid for started in pids.values() for pid in started])
