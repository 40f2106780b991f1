# SPDX-License-Identifier: Apache-2.0
"""Fifty random programs of the client's API, always the same: graphs and values are TensorFlow's.

`./run random-clients N` runs as many as asked for. The programs of graph_programs.py run too.
"""

import sys

import tensorflow

from interop.programs import graph_programs
from interop.tools import client_texts
from interop.tools.compare_clients import compare, tf
from interop.tools.graph_difference import differences
from interop.tools.random_clients import run_all

COUNT = 50


def order_is_judged():
    """Does the comparison find an update that need not wait for those that read the variable?"""
    text = graph_programs.texts()["two_layers"]
    ungated = text.replace("minimize(loss)", "minimize(loss, gate_gradients=0)")
    ours = client_texts.ours({"ungated": ungated})["ungated"]
    lines = differences(ours["graph"], client_texts.happened(tf, text)["graph"])
    return any(line.startswith("order: ApplyGradientDescent of w2") for line in lines)


def main():
    print("TensorFlow", tensorflow.__version__, flush=True)
    texts = graph_programs.texts()
    wrong = {name: lines for name, lines in compare(texts).items() if lines}
    for name, lines in wrong.items():
        print(f"FAILED {name}: {lines[0]}")
    if not order_is_judged():
        wrong["order"] = ["what GATE_NONE leaves open was not found"]
        print("FAILED order: what GATE_NONE leaves open was not found")
    passed, failed, _ = run_all(range(COUNT), print)
    passed += len(texts) + 1 - len(wrong)
    print(f"{passed} passed, {len(failed) + len(wrong)} failed")
    sys.exit(1 if failed or wrong or not passed else 0)


if __name__ == "__main__":
    main()
