# SPDX-License-Identifier: Apache-2.0
"""No fault: operations of all algorithms that run beside each other must not mix.

Each function is a kind. It gets a collective_trial.Trial.
"""

import itertools

from collective_members import ALGORITHMS, REDUCTIONS, Chain, run_chains

CHAINS, LENGTH, STEPS = 8, 16, 4
SIZES = (12, 12 << 7, 12 << 9, 12 << 10, 12 << 12)  # elements


def many_at_once(t):
    """Chains of operations in two groups."""
    instances = itertools.count(1)
    chosen = [*t.draw.sample(ALGORITHMS, CHAINS // 2),
              *[("reduce", t.some_reduction()) for _ in range(CHAINS // 2)]]  # fmt: skip
    if t.draw.random() < 0.5:  # all by one algorithm
        chosen = [("reduce", REDUCTIONS[t.seed % len(REDUCTIONS)])] * CHAINS
    made = []
    for number, (kind, hint) in enumerate(chosen):
        size = t.draw.choice(SIZES)
        key = t.key + number % 2 * 1_000_000
        made.append([t.op(next(instances), key=key, kind=kind, hint=hint, elements=size)
                     for _ in range(LENGTH)])  # fmt: skip
    t.say("; ".join(str(ops[0]) for ops in made))
    t.join()
    chains = {member: [Chain(member, ops) for ops in made] for member in t.members}
    t.all_right([run_chains(m, chains[m], STEPS, 30.0) for m in t.members], 60)


KINDS = (many_at_once,)
