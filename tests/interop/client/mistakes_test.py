# SPDX-License-Identifier: Apache-2.0
"""Our client's errors for typical mistakes, and the classes of TensorFlow's.

The class is TensorFlow 1.15's (where 2.21 raises another, that is named in mistakes.py); our
message has the culprit, and the user's line where an op is concerned.

As a program it prints them all as a table in Markdown: python -m interop.client.mistakes_test
"""

import sys

from interop.cases import data_mistakes, model_mistakes  # noqa: F401  (they add to the list)
from interop.cases.mistakes import MISTAKES
from interop.tools.batch import Batch
from interop.tools.two_clients import answer, both

# A class that programs cannot name -> the one they catch.
PUBLIC = {"OperatorNotAllowedInGraphError": "TypeError"}


def run_all(tf, chosen):
    """name -> (the error's class, its text); "no error" for a class where there was none."""
    found = {}
    for mistake in MISTAKES:
        if mistake.call.__name__ not in chosen:
            continue
        with tf.Graph().as_default():
            try:
                mistake.call(tf)
                found[mistake.call.__name__] = "no error", ""
            except Exception as e:
                name = type(e).__name__
                found[mistake.call.__name__] = PUBLIC.get(name, name), str(e)
    return found


def wrong(mistake, ours, theirs, major):
    """The violation, or None."""
    expected = mistake.here or theirs
    if mistake.newer and major == 2:
        if theirs not in (mistake.newer, ours[0]):
            return f"TensorFlow raises {theirs}, not {mistake.newer}"
        expected = ours[0]
    if ours[0] != expected:
        return f"{ours[0]} is raised, TensorFlow raises {theirs}: {ours[1]}"
    lacking = [n for n in mistake.names if n not in ours[1]]
    if mistake.line and "mistakes.py:" not in ours[1]:
        lacking.append("mistakes.py:")
    return f"{lacking} is not in the message: {ours[1]}" if lacking else None


def print_table(ours, theirs):
    print("| mistake | TensorFlow | ours | our message |\n|---|---|---|---|")
    for mistake in MISTAKES:
        name = mistake.call.__name__
        if name in ours:
            text = " ".join(ours[name][1].replace("|", "\\|").split())
            other = theirs[name][0] + (f" ({mistake.reason})" if mistake.reason else "")
            title = f"{mistake.section}: {mistake.title}"
            print(f"| {title} | {other} | {ours[name][0]} | {text} |")


def names():
    return [mistake.call.__name__ for mistake in MISTAKES]


def run(chosen, results):
    ours, theirs = both(__file__, lambda tf: run_all(tf, chosen), *chosen)
    major = int(sys.modules["tensorflow"].__version__[0])
    for mistake in MISTAKES:
        name = mistake.call.__name__
        if name in ours:
            problem = wrong(mistake, ours[name], theirs[name][0], major)
            results[name].check(mistake.title, not problem, problem)


CALLS = Batch(names, run)

if __name__ == "__main__":
    answer(lambda sluice: run_all(sluice, sys.argv[1:]))
    print_table(*both(__file__, lambda tf: run_all(tf, names()), *names()))
