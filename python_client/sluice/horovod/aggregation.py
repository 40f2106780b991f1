# SPDX-License-Identifier: Apache-2.0
"""Gradients of several steps, added up on each rank before they are reduced."""

from . import clients
from .process_sets import check


class LocalGradients:
    """Adds up gradients, and every `passes` steps reduces and applies them.

    Args:
      passes: how many steps.
      average: whether the sums are divided by their number.
      name: name of the operations.
    """

    def __init__(self, passes, average, name):
        self._passes, self._average, self._name = passes, average, name
        self._full = None  # whether this step is one of those that apply, a bool tensor
        self.variables = []  # what the last added() made

    def added(self, pairs, reduce):
        """Adds the gradients of a step.

        Args:
          pairs: (gradient, variable). The variable may be None.
          reduce: a function of such pairs that returns the reduced gradients.

        Returns:
          Pairs (gradient, variable): the reduced ones in every last step, else the sums so far.
        """
        tf = clients.v1()
        given = [(g, v) for g, v in pairs if g is not None]
        for gradient, variable in given:
            if isinstance(gradient, tf.IndexedSlices):
                raise ValueError(
                    f"the gradient of {(variable or gradient).op.name} is IndexedSlices:"
                    " backward_passes_per_step needs sparse_as_dense=True"
                )
        with tf.variable_scope(None, self._name + "_passes"), tf.control_dependencies(None):
            sums = [self._sum(tf, i, g, v) for i, (g, v) in enumerate(given)]
            counter = self._variable(tf, "counter", [], tf.int32)
        self.variables = [*sums, counter]
        count = (counter.read_value() + 1) % self._passes
        self._full = tf.equal(count, 0)
        with tf.control_dependencies([counter.assign(count, read_value=False)]):
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

    def applied(self, pairs, apply, count, name):
        """Applies the gradients in every last step; in the others only the step counts.

        Args:
          pairs: (gradient, variable).
          apply: a function that applies them, and returns the operation.
          count: the variable that counts the steps, or None.
          name: name of the operation, or None.

        Returns:
          The Operation.
        """
        tf = clients.v1()
        if self._full is None:
            raise ValueError("compute the gradients with the same optimizer first")

        def full():
            with tf.control_dependencies([apply()]):
                return tf.no_op()

        def skip():
            if count is None:
                return tf.no_op()
            with tf.control_dependencies([count.assign_add(1, read_value=False)]):
                return tf.no_op()

        with tf.control_dependencies([g for g, _ in pairs if g is not None]):
            made = _cond(tf, self._full, full, skip)
        return tf.group(made, name=name or self._name)

    def _sum(self, tf, number, gradient, variable):
        if variable is None:
            return self._variable(tf, str(number), gradient.shape, gradient.dtype.base_dtype)
        name = variable.op.name.replace("/", "_")
        return self._variable(tf, name, variable.shape, variable.dtype.base_dtype)

    @staticmethod
    def _variable(tf, name, shape, dtype):
        return tf.get_variable(
            name, shape, dtype, tf.zeros_initializer(), trainable=False, use_resource=True,
            collections=[tf.GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip


class ReducedGradients:
    """What an optimizer does with its gradients: makes them those of all ranks.

    Args:
      reduce: a function of pairs (gradient, variable) that returns the reduced gradients.
      sparse_as_dense: whether IndexedSlices become tensors first.
      process_set: the ranks.
      local: LocalGradients, or None.
    """

    def __init__(self, reduce, sparse_as_dense, process_set, local=None):
        self._reduce, self._sparse_as_dense = reduce, sparse_as_dense
        self._process_set, self.local = process_set, local

    def of(self, pairs):
        """The pairs with the gradients of all ranks, a list.

        A rank outside of the process set keeps its own gradients, as in Horovod.

        Args:
          pairs: (gradient, variable). The variable may be None.
        """
        check(self._process_set)
        tf, pairs = clients.v1(), list(pairs)
        if self._sparse_as_dense:
            pairs = [
                (tf.convert_to_tensor(g) if isinstance(g, tf.IndexedSlices) else g, v)
                for g, v in pairs
            ]
        is_alone = not self._process_set.included() or self._process_set.size() == 1
        if self.local is not None:
            return self.local.added(pairs, _copies if is_alone else self._reduce)
        return pairs if is_alone else list(zip(self._reduce(pairs), [v for _, v in pairs]))


def _copies(pairs):
    """In place of reduced gradients, nodes of the same branch of a cond()."""
    return [clients.v1().identity(gradient) for gradient, _ in pairs]


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
