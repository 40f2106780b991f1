# SPDX-License-Identifier: Apache-2.0
"""Every case of the cases/*_cases.py, in TensorFlow and on our server.

Values, dtypes, shapes and codes of errors agree.
A test is an op, with all its cases and dtypes. With SLUICE_COMPARE_ITSELF=1 TensorFlow is compared
with itself, which shows a case that is wrong.
"""

import itertools
import os

from interop.tools.batch import Batch
from interop.tools.cluster import Cluster
from interop.tools.op_nodes import (
    BATCH,
    CODES,
    MAJOR,
    Node,
    age,
    chosen_cases,
    code_of,
    difference,
    gone_since,
    groups,
    numbered,
    run,
    runs_here,
    said,
    tf,
)
from interop.tools.recorded_cases import FOLDER, RecordedCases


def judge(checks, node, actual, expected):
    case = node.case
    failed = isinstance(actual, Exception)
    if case.error is not None:
        if not failed:
            checks.check(node.name, False, f"no error, expected {case.error}")
        elif case.error != "ANY" and code_of(actual) != CODES[case.error]:
            checks.check(node.name, False, f"expected {case.error}, got {said(actual)}")
        elif case.text and case.text not in (actual.message or ""):
            checks.check(node.name, False, f"expected the text {case.text!r} in {said(actual)}")
        elif expected is not None and not isinstance(expected, Exception):
            checks.check(node.name, False, f"TensorFlow gives no error but {expected!r}")
        elif expected is not None and code_of(expected) != code_of(actual):
            checks.check(node.name, False, f"TensorFlow: {said(expected)}; ours: {said(actual)}")
        else:
            checks.check(node.name, True)
    elif failed and not (isinstance(expected, tf.errors.UnimplementedError)):
        wanted = said(expected) if isinstance(expected, Exception) else expected
        checks.check(node.name, False, f"{said(actual)}; TensorFlow: {wanted}")
    elif isinstance(expected, tf.errors.UnimplementedError):
        checks.check(node.name, True)
    elif isinstance(expected, Exception):
        checks.check(node.name, False, f"TensorFlow fails: {said(expected)}; ours: {actual!r}")
    elif expected is not None:
        wrong = difference(case, actual, expected)
        checks.check(node.name, wrong is None, wrong or "")
    else:
        checks.check(node.name, True)


def record(name, graph, expected):
    """`expected`: node -> TensorFlow's values or error."""
    recorded = RecordedCases(name, graph)
    for node, answers in expected.items():
        case = node.case
        if not isinstance(answers, tf.errors.UnimplementedError):
            recorded.add(
                node.name, node.feeds, node.outputs, answers,
                nodes=[node.operation], rtol=case.rtol, atol=case.atol,
            )  # fmt: skip
    recorded.write()


def check_batch(results, target, batch, name):
    """Runs the cases' graph on both sides, judges, and records what TensorFlow answers."""
    with tf.Graph().as_default() as graph:
        age(graph, batch[0][1][0].op)
        nodes = [Node(case, dtype, index) for index, (case, dtype) in batch]
        asked = [
            node for node in nodes if node.case.ours is None and node.case.like in (None, MAJOR)
        ]
        expected = {}
        with tf.Session(graph=graph) as theirs:
            for group in groups(asked):
                expected.update(zip(group, run(theirs, group)))
        if FOLDER:
            record(name, graph, expected)
        with tf.Session(target, graph=graph) as ours:
            for group in groups(nodes if target else asked):
                for node, actual in zip(group, run(ours, group)):
                    judge(results[node.case.op], node, actual, expected.get(node))


def ops_with_cases():
    return sorted({case.op for case, _ in chosen_cases(())})


def run_cases(ops, results):
    everything = list(numbered(chosen_cases(ops)))
    cases = [(index, case) for index, case in everything if runs_here(*case)]
    cases.sort(key=gone_since)
    with Cluster({"worker": 1}) as ours:
        target = "" if os.environ.get("SLUICE_COMPARE_ITSELF") else ours.target()
        for version, group in itertools.groupby(cases, gone_since):
            alike = list(group)
            for first in range(0, len(alike), BATCH):
                name = f"ops-{version}-{first // BATCH}"
                check_batch(results, target, alike[first : first + BATCH], name)
    print(f"{len(cases)} cases, {len(everything) - len(cases)} that this TensorFlow cannot run")


OPS = Batch(ops_with_cases, run_cases)
