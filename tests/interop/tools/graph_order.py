# SPDX-License-Identifier: Apache-2.0
"""The ops that must end before an op that changes state: the order that a graph's edges give.

In gradients our nodes are not TensorFlow's, but the order must be: whoever reads a variable before
it is updated there must read it before it is updated here, and updates that come one after the
other there do so here.
"""

from interop.tools.graph_nodes import ALIASES

VARIABLES = ("VariableV2", "Variable", "VarHandleOp")
UNSEEN = ("ReadVariableOp", "VarIsInitializedOp")  # where nothing takes what they give


def is_update(op):
    """Does an op of this type change the variable it is given?"""
    name = op[len("Resource") :] if op.startswith("Resource") else op
    name = name[len("Sparse") :] if name.startswith("Sparse") else name
    return name.startswith(("Assign", "Scatter", "Apply", "CountUpTo")) and name not in (
        "ScatterNd",
        "ScatterNdNonAliasingAdd",
    )


class Order:
    """Of one graph (name -> Node): who reads and who changes each variable, and what precedes."""

    def __init__(self, nodes):
        self.nodes = nodes
        self._before = {}
        self.readers, self.updates = {}, {}  # variable -> names of nodes
        consumers = {}
        for node in nodes.values():
            for position, (source, index) in enumerate(node.inputs):
                consumers.setdefault(source, []).append((node, position, index))
        for variable in [n for n in nodes.values() if n.op in VARIABLES]:
            self.readers[variable.name], self.updates[variable.name] = set(), set()
            self._follow(variable, variable.name, consumers, set())

    def _follow(self, node, variable, consumers, seen):
        """Everything that reads the buffer of `variable`, of which `node` hands on."""
        todo = [node]
        while todo:
            current = todo.pop()
            if current.name in seen:
                continue
            seen.add(current.name)
            for consumer, position, _ in consumers.get(current.name, ()):
                if is_update(consumer.op):
                    if self._state(consumer, position):
                        self.updates[variable].add(consumer.name)
                        continue
                    self.readers[variable].add(consumer.name)
                elif consumer.op in ALIASES:
                    if position == 0 or consumer.op in ("Merge", "RefMerge"):
                        todo.append(consumer)
                elif consumer.op not in UNSEEN or consumer.name in consumers:
                    self.readers[variable].add(consumer.name)

    @staticmethod
    def _state(node, position):
        """Is this input one that the op changes? Those come first; Assign and Scatter have one."""
        name = node.op.replace("Resource", "").replace("Sparse", "")
        slots = {
            "ApplyMomentum": 2, "ApplyKerasMomentum": 2, "ApplyAdam": 3, "ApplyAdagrad": 2,
            "ApplyAdagradV2": 2, "ApplyAdadelta": 3, "ApplyRMSProp": 3, "ApplyCenteredRMSProp": 4,
            "ApplyFtrl": 3, "ApplyFtrlV2": 3, "ApplyProximalAdagrad": 2, "ApplyAdagradDA": 3,
            "ApplyAdaMax": 3, "ApplyAddSign": 2, "ApplyPowerSign": 2,
        }  # fmt: skip
        return position < slots.get(name, 1)

    def before(self, name):
        """The names of all nodes that end before this one begins."""
        if name not in self._before:
            found, todo = set(), [name]
            while todo:
                node = self.nodes[todo.pop()]
                if node.op in ("NextIteration", "RefNextIteration"):
                    continue
                for source in [s for s, _ in node.inputs] + list(node.controls):
                    if source not in found and source in self.nodes:
                        found.add(source)
                        todo.append(source)
            self._before[name] = found
        return self._before[name]

    def marks(self, variable):
        """Each update of the variable: its op's type and what it is, to find it in another
        graph."""
        return {n: (self.nodes[n].op, variable) for n in self.updates[variable]}


def _late(order, update, variable):
    """Types of ops that read the variable and may run after the update begins."""
    before = order.before(update)
    after = order.readers[variable] - before - {update}
    # Readers of the update's result are meant to come after it.
    return {order.nodes[r].op for r in after if update not in order.before(r)}


def differences(ours, theirs):
    """Orderings of TensorFlow's graph that ours lacks, a line each."""
    mine, other = Order(ours), Order(theirs)
    for variable in sorted(other.updates):
        if variable not in mine.updates:
            continue
        for update, reference in _pairs(mine, other, variable):
            late, allowed = _late(mine, update, variable), _late(other, reference, variable)
            known = {other.nodes[r].op for r in other.readers[variable]}
            wrong = {op for op in late if op not in allowed and (op in known or not allowed)}
            if wrong:
                yield (
                    f"order: {ours[update].op} of {variable} may run before {sorted(wrong)} have "
                    f"read it ({update})"
                )
            yield from _updates_before(mine, other, update, reference, variable)


def _pairs(mine, other, variable):
    """Updates of one variable in both graphs, by name, else by type in order."""
    left = sorted(mine.updates[variable])
    for reference in sorted(other.updates[variable]):
        kind = other.nodes[reference].op
        same = [n for n in left if n == reference] or [n for n in left if mine.nodes[n].op == kind]
        if same:
            left.remove(same[0])
            yield same[0], reference


def _updates_before(mine, other, update, reference, variable):
    def kinds(order, name):
        before = order.before(name)
        return {
            (order.nodes[u].op, v) for v, us in order.updates.items() for u in us if u in before
        }

    missing = kinds(other, reference) - kinds(mine, update)
    present = {(mine.nodes[u].op, v) for v, us in mine.updates.items() for u in us}
    for op, of in sorted(missing & present):
        yield f"order: {mine.nodes[update].op} of {variable} does not wait for {op} of {of}"
