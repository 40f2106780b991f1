# SPDX-License-Identifier: Apache-2.0
"""Training goes alike in every placement: our client on our servers, TensorFlow's on TensorFlow.

Each net of training_nets.py is trained 50 steps by every optimizer, with variables of both kinds:
in this process ("local"), on one server task ("task"), and with the variables on a ps and the
computation on a worker ("ps"). The losses, and sums of the variables at the end, are those of
TensorFlow's client in its own process, to 1e-5 of the loss. "theirs": TensorFlow's client on our
server.

placements_test.py         a part: each optimizer, net, kind and placement, but not all together
placements_test.py --all   everything
"""

import itertools
import os
import pickle
import subprocess
import sys
import tempfile
import time

import numpy as np

from interop.programs import training_nets
from interop.programs.training_nets import NETS, OPTIMIZERS, STEPS
from interop.tools.two_clients import our_command

PLACEMENTS = ("local", "task", "ps", "theirs")
TOLERANCE = 1e-5


def chosen(everything):
    """(net, optimizer, resource, placement) of each run."""
    runs = list(itertools.product(NETS, OPTIMIZERS, (False, True), PLACEMENTS))
    if everything:
        return runs
    # Reference variables on the task that computes go wrong first. 13 and 160 have no divisor in
    # common: each optimizer, net, kind and placement has its turn.
    first = [(net, opt, False, "local") for net in NETS for opt in ("GradientDescent", "Adam")]
    return first + [r for r in runs[::13] if r not in first]


def run(tf, runs, spec, targets):
    """run -> its losses, or the text of its error."""
    found = {}
    for net, optimizer, resource, placement in runs:
        device = None
        if placement == "ps":
            device = tf.train.replica_device_setter(
                cluster=tf.train.ClusterSpec(spec), worker_device="/job:worker/task:0"
            )
        target = targets.get(placement, "")
        try:
            losses = training_nets.losses(tf, net, optimizer, resource, target, device)
        except Exception as error:
            losses = f"{type(error).__name__}: {str(error)[:500]}"
        found[net, optimizer, resource, placement] = losses
    return found


def ours(runs, spec, targets):
    """run() by our client in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("runs", "found")]
        with open(paths[0], "wb") as file:
            pickle.dump((runs, spec, targets), file, protocol=4)
        command, env = our_command(__file__, "--ours", *paths)
        subprocess.run(command, env=env, check=True, timeout=600)
        with open(paths[1], "rb") as file:
            return pickle.load(file)


def difference(found, expected):
    """The difference, or None."""
    if isinstance(found, str) or isinstance(expected, str):
        return f"{found}, not {expected}"
    found, expected = np.array(found), np.array(expected)
    if found.shape != expected.shape:
        return f"{found.shape} numbers, not {expected.shape}"
    # Losses near zero are compared by what the first one was.
    size = np.abs(expected)
    size[:STEPS] = np.maximum(size[:STEPS], 0.05 * size[0])
    off = np.abs(found - expected) / np.maximum(size, 1e-3)
    if np.all(off <= TOLERANCE):
        return None
    first = int(np.argmax(~(off <= TOLERANCE)))
    where = f"step {first}" if first < STEPS else f"variable {first - STEPS} at the end"
    return f"{where}: {found[first]!r}, not {expected[first]!r} ({off[first]:.1e})"


def main():
    if sys.argv[1:2] == ["--ours"]:
        import sluice

        with open(sys.argv[2], "rb") as file:
            work = pickle.load(file)
        with open(sys.argv[3], "wb") as file:
            pickle.dump(run(sluice, *work), file, protocol=4)
        return
    os.environ["TF_ENABLE_ONEDNN_OPTS"] = "0"
    import tensorflow

    from interop.tools.cluster import Cluster

    tf = tensorflow.compat.v1
    tf.disable_v2_behavior()
    tf.logging.set_verbosity(tf.logging.FATAL)
    runs = chosen("--all" in sys.argv)
    start = time.time()
    with Cluster({"ps": 1, "worker": 1}) as cluster, Cluster({"worker": 1}) as one:
        targets = {"task": one.target(), "ps": cluster.target(), "theirs": one.target()}
        found = ours([r for r in runs if r[3] != "theirs"], cluster.spec, targets)
        found.update(run(tf, [r for r in runs if r[3] == "theirs"], cluster.spec, targets))
    alone = sorted({(*r[:3], "local") for r in runs})
    expected = run(tf, alone, {}, {})
    failed = 0
    for key in runs:
        wrong = difference(found[key], expected[(*key[:3], "local")])
        if wrong:
            failed += 1
            net, optimizer, resource, placement = key
            kind = "resource" if resource else "reference"
            print(f"FAILED {net}, {optimizer}, {kind} variables, {placement}: {wrong}")
    print(f"TensorFlow {tensorflow.__version__}: {time.time() - start:.0f} s")
    print(f"{len(runs) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
