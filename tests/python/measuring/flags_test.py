# SPDX-License-Identifier: Apache-2.0
"""Flags of the command line, and app.run()."""

import subprocess
import sys

import harness
import sluice as sl

PROGRAM = """
import sluice as tf
tf.app.flags.DEFINE_string("name", "x", "a name")
tf.flags.DEFINE_integer("steps", 5, "how many", lower_bound=1)
tf.flags.DEFINE_boolean("fast", True, "whether")
tf.flags.DEFINE_list("words", ["a"], "words")
tf.flags.DEFINE_enum("kind", "one", ["one", "two"], "which")
tf.flags.DEFINE_multi_float("rate", None, "rates")
FLAGS = tf.flags.FLAGS
def main(argv):
    print(FLAGS.name, FLAGS.steps, FLAGS.fast, FLAGS.words, FLAGS.kind, FLAGS.rate, argv[1:])
    return 3
if __name__ == "__main__":
    tf.app.run()
"""


def run(*arguments):
    """(exit status, what it printed) of the program."""
    said = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments], stdout=subprocess.PIPE, text=True, timeout=60
    )
    return said.returncode, said.stdout.strip()


def test_a_program_reads_its_flags():
    assert run() == (3, "x 5 True ['a'] one None []")
    given = "--name=n --steps 7 --nofast --words=b,c --kind=two --rate=1 --rate=2.5 rest".split()
    assert run(*given) == (3, "n 7 False ['b', 'c'] two [1.0, 2.5] ['rest']")
    assert run("--steps=0")[0] == 1


def test_flags_of_their_own():
    flags, values = sl.flags, sl.flags.FlagValues()
    flags.DEFINE_string("path", None, "a path", flag_values=values)
    flags.mark_flag_as_required("path", values)
    harness.raises(flags.UnparsedFlagAccessError, lambda: values.path)
    harness.raises(flags.IllegalFlagValueError, lambda: values(["program"]))
    harness.raises(flags.UnrecognizedFlagError, lambda: values(["program", "--other=1"]))
    assert values(["program", "--path=p", "--", "--x"]) == ["program", "--x"]
    assert values.path == "p" and values.flag_values_dict() == {"path": "p"}
    harness.raises(
        flags.DuplicateFlagError,
        lambda: flags.DEFINE_float("path", 1.0, "again", flag_values=values),
    )
