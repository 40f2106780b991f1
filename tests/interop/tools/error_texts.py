# SPDX-License-Identifier: Apache-2.0
"""Where both refuse a draw of the fuzzer, in different words. Prints; whether it matters is read.

    error_texts.py [--seconds S] [--first SEED] [OP...]

Numbers count as N and shapes as S. Ours that contains TensorFlow's is no difference: it may say
more.
"""

import argparse
import re

import tensorflow

from interop.tools.fuzz_ops import Fuzzer, fuzzed_ops, make_draws, run


def words(text):
    text = re.sub(r"^\w+: ", "", text)
    text = re.sub(r"\[?\[?\{\{.*?\}\}\]?\]?|\[\[.*", "", text, flags=re.S)
    text = re.sub(r"\[[-\d, ?x]*\]", "S", text)
    text = re.sub(r"-?\d+(\.\d+)?(e[-+]?\d+)?", "N", text)
    return " ".join(text.split())


class Texts(Fuzzer):
    """Judges nothing but words: the first draw of each text of TensorFlow's that ours lacks."""

    def __init__(self, draws):
        super().__init__(draws)
        self.texts = {}

    def judge(self, drawn, ours, theirs):
        if ours[0] != "error" or theirs[0] != "error" or ours[1][0] != theirs[1][0]:
            return
        said, wanted = words(ours[1][1]), words(theirs[1][1])
        if wanted.rstrip(".") not in said:
            self.texts.setdefault((drawn.op, wanted), (said, drawn.seed))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("ops", nargs="*")
    options = parser.parse_args()
    draws = make_draws()
    texts = Texts(draws)
    try:
        run(texts, options.ops or fuzzed_ops(draws), options.first, 10**9, options.seconds)
    finally:
        texts.server.close()
    print("TensorFlow", tensorflow.__version__)
    for (op, wanted), (said, seed) in sorted(texts.texts.items()):
        print(f"{op} (--replay {seed})\n  TensorFlow: {wanted}\n  ours:       {said}")


if __name__ == "__main__":
    main()
