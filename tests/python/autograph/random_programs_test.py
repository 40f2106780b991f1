# SPDX-License-Identifier: Apache-2.0
"""Random functions of integers give the same of tensors, converted, as of ints, by Python."""

import linecache
import os
import random

import sluice as sl

FIRST = int(os.environ.get("SLUICE_AUTOGRAPH_SEED", 0))
COUNT = int(os.environ.get("SLUICE_AUTOGRAPH_PROGRAMS", 25))
NAMES = "abc"


class Source:
    """The source of a function f of three variables, with ifs, loops and ways out of them."""

    def __init__(self, seed):
        self._random, self._loops = random.Random(seed), 0
        self.lines = ["def f(a, b, c):"]
        self._block(1, 3, in_loop=False)
        self.lines.append("    return a + b * 3 + c * 7")

    def _value(self, depth=2):
        pick = self._random
        kind = pick.randint(0, 5 if depth else 1)
        if kind == 0:
            return pick.choice(NAMES)
        if kind == 1:
            return str(pick.randint(-5, 9))
        if kind == 2:
            return f"({pick.choice(NAMES)} * {pick.randint(-3, 3)} % 97)"
        one, other = self._value(depth - 1), self._value(depth - 1)
        if kind == 3:
            return f"({one} if {self._test(1)} else {other})"
        return f"({one} {'+' if kind == 4 else '-'} {other})"

    def _test(self, depth=2):
        pick = self._random
        kind = pick.randint(0, 4 if depth else 1)
        if kind == 2:
            return f"({self._test(depth - 1)} {pick.choice(['and', 'or'])} {self._test(depth - 1)})"
        if kind == 3:
            return f"not ({self._test(depth - 1)})"
        operators = [pick.choice(["<", "<=", ">", ">="]) for _ in range(2)]
        if kind == 4:
            return f"{self._value(0)} {operators[0]} {pick.choice(NAMES)} {operators[1]} 3"
        return f"{pick.choice(NAMES)} {operators[0]} {self._value(0)}"

    def _block(self, indent, depth, in_loop):
        for _ in range(self._random.randint(1, 3)):
            kind = self._random.randint(0, 8)
            if depth and kind < 4:
                self._if(indent, depth - 1, in_loop)
            elif depth and kind < 6:
                self._loop(indent, depth - 1)
            elif in_loop and kind == 6:
                return self._line(indent, self._random.choice(["break", "continue"]))
            else:
                self._line(indent, f"{self._random.choice(NAMES)} = {self._value()} % 1000")

    def _if(self, indent, depth, in_loop):
        returns = indent == 1 and self._random.random() < 0.3
        self._line(indent, f"if {self._test()}:")
        self._block(indent + 1, depth, in_loop)
        if returns:
            self._line(indent + 1, f"return {self._value()}")
        elif self._random.random() < 0.3:
            self._line(indent, f"elif {self._test()}:")
            self._block(indent + 1, depth, in_loop)
        if self._random.random() < 0.6:
            self._line(indent, "else:")
            self._block(indent + 1, depth, in_loop)

    def _loop(self, indent, depth):
        self._loops += 1
        i, limit = f"i{self._loops}", self._random.randint(0, 4)
        if self._random.random() < 0.5:
            self._line(indent, f"{i} = a * 0")
            self._line(indent, f"while {i} < {limit} and {self._test(1)}:")
            self._line(indent + 1, f"{i} += 1")
        else:
            self._line(indent, f"for {i} in numbers({limit}):")
            self._line(indent + 1, f"{self._random.choice(NAMES)} += {i}")
        self._block(indent + 1, depth, in_loop=True)
        if self._random.random() < 0.2:
            self._line(indent, "else:")
            self._block(indent + 1, 0, in_loop=False)

    def _line(self, indent, text):
        self.lines.append("    " * indent + text)


def _function(source, path, numbers):
    linecache.cache[path] = len(source), None, source.splitlines(keepends=True), path
    found = {"numbers": numbers}
    exec(compile(source, path, "exec"), found)
    return found["f"]


def test_tensors_take_the_ways_of_ints():
    for seed in range(FIRST, FIRST + COUNT):
        source = "\n".join(Source(seed).lines) + "\n"
        draws = random.Random(seed)
        given = [[draws.randint(-9, 9) for _ in NAMES] for _ in range(4)]
        by_python = _function(source, f"<program {seed}>", range)
        by_graph = _function(source, f"<program {seed} on tensors>", sl.range)
        with sl.Graph().as_default(), sl.Session() as session:
            traced = sl.function(by_graph)
            results = [traced(*map(sl.constant, values)) for values in given]
            found = [int(r) for r in session.run(results)]
        assert found == [by_python(*values) for values in given], f"seed {seed}:\n{source}"
