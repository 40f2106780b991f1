# SPDX-License-Identifier: Apache-2.0
"""Records draws of the fuzzer for every op that has a kernel for GPUs (recorded_cases.py).

    record_draws.py [--draws N] [--first SEED] [OP...]

The lines of cases/ hold no variables and no random numbers; the draws do. Where our CPU's answer
is not TensorFlow's, the fuzzer reports it or knows why: such draws are left out.
"""

import argparse
import subprocess

import numpy as np
import tensorflow

from interop.tools import cluster, op_differences, op_nodes
from interop.tools.fuzz_ops import Fuzzer, differs, fuzzed_ops, make_draws, tolerances
from interop.tools.fuzz_sides import Node, Side
from interop.tools.recorded_cases import RecordedCases

tf = tensorflow.compat.v1
# The outputs after these are for the gradient's kernel on the same device.
COMPARED = {"FusedBatchNorm": 3, "FusedBatchNormV2": 3, "FusedBatchNormV3": 3}
UNFED = "Unsupported object type"  # the client refuses to feed it
KEPT_ERRORS = ("InvalidArgument", "FailedPrecondition", "OutOfRange", "Internal", "NotFound")


def ops_for_gpus():
    listed = subprocess.check_output([cluster.SERVER, "--list_ops"]).decode()
    lines = (line.split("\t") for line in listed.splitlines())
    return {fields[0] for fields in lines if "GPU" in fields[1]}


def array_of(answer, fetch):
    """An array of the fetch's dtype: those that NumPy lacks come as float32."""
    name, array = answer
    return array.astype(fetch.dtype.base_dtype.as_numpy_dtype) if name == "bfloat16" else array


def widest_tolerances(drawn, answers):
    """Those of a run, whose outputs share them."""
    found = [(0, 0)]
    for name, array in answers:
        if name in op_nodes.RTOL:
            wide = array.astype(np.complex128 if "complex" in name else np.float64)
            found.append(tolerances(name, drawn, wide))
    rtols, atols = zip(*found)
    return max(rtols), max(atols)


def error_of(answer):
    """The OpError of an answer's class."""
    return getattr(tf.errors, answer[0] + "Error")(None, None, answer[1])


def add(recorded, name, drawn, answer):
    node = Node(drawn, name)
    fetches = node.fetches[: COMPARED.get(drawn.op)]
    outputs = [f for f in fetches if isinstance(f, tf.Tensor)]
    targets = [f for f in fetches if isinstance(f, tf.Operation)]
    made = targets[0] if targets else outputs[0].op
    feeds = node.feeds_of(drawn)
    kind, what = answer
    if kind == "error":
        recorded.add(name, feeds, outputs, error_of(what), targets, [made])
        return
    answers = [a for a, f in zip(what, fetches) if isinstance(f, tf.Tensor)]
    rtol, atol = widest_tolerances(drawn, answers)
    arrays = [array_of(a, f) for a, f in zip(answers, outputs)]
    recorded.add(name, feeds, outputs, arrays, targets, [made], rtol, atol)


def is_recorded(drawn, ours, theirs):
    if theirs[0] == ours[0] == "error":
        name, text = theirs[1]
        return name == ours[1][0] and name in KEPT_ERRORS and UNFED not in text
    if not theirs[0] == ours[0] == "value":
        return False
    compared = COMPARED.get(drawn.op)
    return differs(drawn, ("value", ours[1][:compared]), ("value", theirs[1][:compared])) is None


def record(fuzzer, op, drawns):
    theirs, ours = Side().ask(drawns), fuzzer.ask_ours(drawns)
    kept = [(d, t) for d, t, o in zip(drawns, theirs, ours) if is_recorded(d, o, t)]
    with tf.Graph().as_default() as graph:
        op_nodes.age(graph, op)
        recorded = RecordedCases(f"draws-{op}", graph)
        for drawn, answer in kept:
            add(recorded, f"{op}_{drawn.seed}", drawn, answer)
        recorded.write()
    return len(kept)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--draws", type=int, default=12)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("ops", nargs="*")
    options = parser.parse_args()
    draws, gpu = make_draws(), ops_for_gpus()
    fuzzer, count = Fuzzer(draws), 0
    for op in options.ops or fuzzed_ops(draws):
        if op not in gpu or op_differences.ignores_values(op):
            continue
        seeds = range(options.first, options.first + options.draws)
        drawns = [d for d in (draws.draw(op, seed) for seed in seeds) if d]
        count += record(fuzzer, op, drawns)
    fuzzer.server.close()
    print(f"{count} draws recorded")


if __name__ == "__main__":
    main()
