# SPDX-License-Identifier: Apache-2.0
"""A variable keeps its value between runs."""

import sluice as sl

counter = sl.Variable(0, name="counter")
more = counter.assign_add(1)

with sl.Session() as session:
    session.run(sl.global_variables_initializer())
    for _ in range(5):
        print("counter:", session.run(more))
    assert session.run(counter) == 5
