# SPDX-License-Identifier: Apache-2.0
"""Gradients of several steps, added up on each rank before they are reduced."""

from . import clients


class LocalGradients:
    """Adds up gradients, and every `passes` steps reduces and applies them.

    Args:
      passes: how many steps.
      average: whether the sums are divided by their number.
      name: name of the operations.
      process_set: the ranks.
    """

    def __init__(self, passes, average, name, process_set):
        self._passes, self._average, self._name = passes, average, name
        self._process_set = process_set
        self._full = None  # whether this step is one of those that apply, a bool tensor

    def added(self, pairs, reduce):
        """Adds the gradients of a step.

        Args:
          pairs: (gradient, variable).
          reduce: a function of such pairs that returns the reduced gradients.

        Returns:
          Pairs (gradient, variable): the reduced ones in every last step, else the sums so far.
        """
        tf = clients.v1()
        given = [(g, v) for g, v in pairs if g is not None]
        for gradient, variable in given:
            if isinstance(gradient, tf.IndexedSlices):
                raise ValueError(
                    f"the gradient of {variable.op.name} is IndexedSlices: backward_passes_per_step"
                    " needs sparse_as_dense=True"
                )
        with tf.variable_scope(self._name + "_passes"):
            sums = [self._variable(tf, v.op.name.replace("/", "_"), v.shape, v.dtype.base_dtype)
                    for _, v in given]  # fmt: skip
            self._full, counted = self._count(tf)
        with tf.control_dependencies([counted]):
            updates = [total.assign_add(g, read_value=False) for total, (g, _) in zip(sums, given)]
        with tf.control_dependencies(updates):
            values = [total.read_value() for total in sums]

        def apply():
            scaled = [v / self._passes for v in values] if self._average else values
            reduced = reduce([(v, variable) for v, (_, variable) in zip(scaled, given)])
            with tf.control_dependencies(reduced):
                cleared = [t.assign(tf.zeros(t.shape, t.dtype.base_dtype), read_value=False)
                           for t in sums]  # fmt: skip
            with tf.control_dependencies(cleared):
                return [tf.identity(g) for g in reduced]

        results = _cond(tf, self._full, apply, lambda: [tf.identity(v) for v in values])
        results = iter(results if isinstance(results, (list, tuple)) else [results])
        return [(None if g is None else next(results), v) for g, v in pairs]

    def applied(self, optimizer, pairs, global_step, name):
        """Applies the gradients in every last step; in the others only the global step counts.

        Returns:
          The Operation.
        """
        tf, pairs = clients.v1(), list(pairs)
        if self._full is None:
            raise ValueError("call compute_gradients() of the same optimizer first")
        with tf.control_dependencies(None):
            optimizer._create_slots([v for g, v in pairs if g is not None])

        def apply():
            with tf.control_dependencies([optimizer.apply_gradients(pairs, global_step)]):
                return tf.no_op()

        def skip():
            if global_step is None:
                return tf.no_op()
            with tf.control_dependencies([global_step.assign_add(1, read_value=False)]):
                return tf.no_op()

        with tf.control_dependencies([g for g, _ in pairs if g is not None]):
            made = _cond(tf, self._full, apply, skip)
        return tf.group(made, name=name or self._name)

    def _count(self, tf):
        """(whether this step is the last of its row, the operation that counts it)."""
        counter = self._variable(tf, "counter", [], tf.int32)
        count = (counter.read_value() + 1) % self._passes
        return tf.equal(count, 0), counter.assign(count, read_value=False)

    @staticmethod
    def _variable(tf, name, shape, dtype):
        return tf.get_variable(
            name, shape, dtype, tf.zeros_initializer(), trainable=False, use_resource=True,
            collections=[tf.GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip


def _cond(tf, predicate, if_true, if_false):
    """cond() of Switch and Merge: the bodies of functions could not update reference variables."""
    functions = getattr(tf, "control_flow_v2_enabled", lambda: False)()
    if functions:
        tf.disable_control_flow_v2()
    try:
        return tf.cond(predicate, if_true, if_false)
    finally:
        if functions:
            tf.enable_control_flow_v2()
