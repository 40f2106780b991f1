# SPDX-License-Identifier: Apache-2.0
"""Structures, as contrib.framework.nest knows them, and calls of functions that wait."""

import collections

from interop.programs.client._contrib import contrib_of
from interop.programs.client._outcomes import outcome

ONLY_1X = True


def structures(tf):
    nest = contrib_of(tf).framework.nest
    pair = collections.namedtuple("pair", "a b")
    tree = {"b": [1, (2, 3)], "a": pair(4, [5])}
    return [
        nest.flatten(tree),
        nest.map_structure(lambda x: x * 2, tree)["a"].b,
        nest.pack_sequence_as(tree, list("vwxyz"))["b"],
        [nest.is_sequence(x) for x in ([], (), {}, "a", 3, pair(1, 2))],
        outcome(nest.assert_same_structure, [1, [2]], [1, 2]),
        outcome(nest.assert_same_structure, [1, [2]], [1, (2,)]),
    ]


def structures_up_to_leaves(tf):
    nest = contrib_of(tf).framework.nest
    shallow = {"b": 0, "a": [0, 0]}
    deep = {"b": [1, 2], "a": [(3, 4), {"x": 5}]}
    return [
        nest.flatten_up_to(shallow, deep),
        nest.map_structure_up_to(shallow, lambda x, y: [x, y], deep, shallow),
        [
            outcome(nest.assert_shallow_structure, *given)
            for given in (
                (shallow, deep), ([0, 0], [1]), ([0], 1), ([0], (1,)), ({"a": 0}, {"b": 0}),
                (0, deep),
            )
        ],
        outcome(nest.assert_shallow_structure, [0], (1,), check_types=False),
        outcome(nest.map_structure_up_to, [0], len),
        nest.flatten_dict_items({"a": 1, ("b", ("c", "d")): (2, (3, 4))}),
        outcome(nest.flatten_dict_items, {("a", "b"): 1}),
        outcome(nest.flatten_dict_items, {("a", "b"): (1, 2), "a": 3}),
    ]  # fmt: skip


def calls_wait(tf):
    """A call waits for what operations in the function wait for."""
    v = tf.get_variable("v", [], initializer=tf.zeros_initializer(), use_resource=True)
    change = v.assign_add(1.0).op

    @tf.function
    def read():
        with tf.control_dependencies([change]):
            return v.read_value()

    @tf.function
    def read_by_another():
        return read() + 10.0

    found = []
    with tf.Session() as session:
        session.run(v.initializer)
        first = read()
        found += [session.run(first), session.run(first), session.run(read())]
        found += [session.run(read_by_another()), session.run(v)]
        found.append(sorted(op.name for op in first.op.control_inputs) == [change.name])
    return found
