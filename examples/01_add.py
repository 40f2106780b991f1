# SPDX-License-Identifier: Apache-2.0
"""Adds numbers: the program builds a graph, and a session runs it."""

import sluice as sl

a = sl.placeholder(sl.float32, name="a")
b = sl.placeholder(sl.float32, name="b")
total = a + b

with sl.Session() as session:
    result = session.run(total, {a: 3.0, b: [1.0, 2.0]})

print("3 + [1, 2] =", result)
assert list(result) == [4.0, 5.0]
