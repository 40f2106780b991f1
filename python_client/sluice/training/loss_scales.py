# SPDX-License-Identifier: Apache-2.0
"""Numbers by which losses are multiplied, so that small gradients of float16 do not become 0."""

import abc

from .. import dtypes, nest
from ..graph.convert import constant, convert_to_tensor
from ..graph.default_graph import get_default_graph
from ..graph.elements import IndexedSlices
from ..ops import array as arrays
from ..ops import math
from ..ops.control_flow.grouping import group, no_op
from ..ops.functions.switch_cond import switch_cond
from ..ops.state.kinds import VariableAggregation, VariableSynchronization
from ..ops.state.variables import Variable
from ..strategies import contexts
from ..strategies.reductions import ReduceOp


class LossScale(abc.ABC):
    """A number by which a loss is multiplied, and by which its gradients are divided again.

    A call returns the number, a float32 scalar. A subclass defines __call__(), update() and
    get_config().
    """

    def __init__(self):
        self._weights = {}  # (name, graph) -> variable

    @abc.abstractmethod
    def __call__(self):
        """The number, a float32 scalar."""

    @abc.abstractmethod
    def update(self, grads):
        """Adds an operation that changes the number, if the gradients ask for it.

        Args:
            grads: The gradients after the division, a list or nested structure. None is left out.

        Returns:
            A pair of the Operation, and of whether the gradients may be applied: a bool or a bool
            scalar.

        Under a strategy it is called once for all replicas, and gradients are PerReplica.
        """

    def _add_weight(self, name, initial_value, dtype=None):
        """A variable of the number, which checkpoints have under its name."""
        key = (name, get_default_graph())
        if key in self._weights:
            raise RuntimeError(f"Duplicate variables detected. {key}")
        self._weights[key] = Variable(
            initial_value, name=name, dtype=dtype, trainable=False, use_resource=True,
            synchronization=VariableSynchronization.AUTO, aggregation=VariableAggregation.NONE,
        )  # fmt: skip
        return self._weights[key]

    def checkpoint_children(self):
        """Returns the variables that a checkpoint saves.

        Returns:
            A list of pairs of a name and a variable.
        """
        graph, made = get_default_graph(), self._weights.items()
        return sorted(
            ((name, v) for (name, of), v in made if of is graph), key=lambda pair: pair[0]
        )

    @abc.abstractmethod
    def get_config(self):
        """Returns the arguments that make an equal object.

        Returns:
            A dict.
        """

    @classmethod
    def from_config(cls, config):
        """Makes an object of what get_config() returned.

        Args:
            config: The dict.

        Returns:
            An object of the class.
        """
        return cls(**config)


class FixedLossScale(LossScale):
    """A number that stays as it is.

    Args:
        loss_scale_value: The number, an int or float of at least 1.

    Raises:
        ValueError: It is another one.

    Example:
        >>> sl.train.experimental.FixedLossScale(128)
        FixedLossScale(128.0)
    """

    def __init__(self, loss_scale_value):
        super().__init__()
        if not isinstance(loss_scale_value, (int, float)):
            raise ValueError("loss_scale_value must be a Python int or float.")
        if loss_scale_value < 1:
            raise ValueError("loss_scale_value must be at least 1.")
        self._loss_scale_value = float(loss_scale_value)

    def __call__(self):
        return constant(self._loss_scale_value, dtypes.float32)

    def update(self, grads):
        del grads
        return no_op(), True

    def get_config(self):
        return {"loss_scale_value": self._loss_scale_value}

    def __repr__(self):
        return f"FixedLossScale({self._loss_scale_value})"


class DynamicLossScale(LossScale):
    """A number that grows while gradients are finite, and falls when one is not.

    Args:
        initial_loss_scale: The number at the beginning, a float.
        increment_period: After how many steps with finite gradients it grows, an int.
        multiplier: The factor by which it grows and falls, a float.
    """

    def __init__(self, initial_loss_scale=2**15, increment_period=2000, multiplier=2.0):
        super().__init__()
        self._initial_loss_scale = float(initial_loss_scale)
        self._increment_period = int(increment_period)
        self._multiplier = float(multiplier)
        self._current_loss_scale = self._add_weight(
            "current_loss_scale", self._initial_loss_scale, dtypes.float32
        )
        self._num_good_steps = self._add_weight("good_steps", 0, dtypes.int64)

    @property
    def initial_loss_scale(self):
        """The number at the beginning, a float."""
        return self._initial_loss_scale

    @property
    def increment_period(self):
        """After how many steps with finite gradients it grows, an int."""
        return self._increment_period

    @property
    def multiplier(self):
        """The factor by which it grows and falls, a float."""
        return self._multiplier

    def __call__(self):
        return convert_to_tensor(self._current_loss_scale)

    def update(self, grads):
        scale, good = self._current_loss_scale, self._num_good_steps
        finite = _all_finite(nest.flatten(grads))

        def grown():
            new = scale * self._multiplier
            assigned = switch_cond(math.is_finite(new), lambda: group(scale.assign(new)), no_op)
            return group(assigned, good.assign(0))

        def counted():
            return switch_cond(
                good + 1 >= self._increment_period, grown, lambda: group(good.assign_add(1))
            )

        def fallen():
            new = math.maximum(scale / self._multiplier, 1.0)
            return group(good.assign(0), scale.assign(new))

        return switch_cond(finite, counted, fallen), finite

    def get_config(self):
        return {
            "initial_loss_scale": self.initial_loss_scale,
            "increment_period": self.increment_period, "multiplier": self.multiplier,
        }  # fmt: skip

    def __repr__(self):
        numbers = ", ".join(f"{name}={value}" for name, value in self.get_config().items())
        return f"DynamicLossScale({numbers})"


def _all_finite(grads):
    """Whether all gradients are finite, in all replicas. A bool scalar."""
    if not contexts.has_strategy():
        return _finite(grads)
    strategy = contexts.get_strategy()
    finite = strategy.extended.call_for_each_replica(
        lambda given: arrays.cast(_finite(given), dtypes.float32), (grads,)
    )
    count = strategy.reduce(ReduceOp.SUM, finite, axis=None)
    return math.equal(count, float(strategy.num_replicas_in_sync))


def _finite(grads):
    given = [g.values if isinstance(g, IndexedSlices) else g for g in grads if g is not None]
    return math.reduce_all([math.reduce_all(math.is_finite(g)) for g in given])


def loss_scale_of(identifier):
    """Returns the LossScale that an argument stands for.

    Args:
        identifier: A number, "dynamic", a LossScale, or None.

    Returns:
        A LossScale; None for None.

    Raises:
        ValueError: It stands for nothing.
    """
    if isinstance(identifier, (int, float)):
        return FixedLossScale(identifier)
    if isinstance(identifier, str) and identifier == "dynamic":
        return DynamicLossScale()
    if identifier is None or isinstance(identifier, LossScale):
        return identifier
    raise ValueError(f"Could not interpret loss scale identifier: {identifier}")


def check_place():
    """Checks that gradients of a multiplied loss can be applied here.

    Raises:
        ValueError: The context is not that of a replica.
    """
    if contexts.in_cross_replica_context():
        raise ValueError("apply_gradients() must be called in a replica context.")


def apply_if_finite(loss_scale, pairs, apply, name=None):
    """Adds an operation that applies gradients if they may be applied, and changes the number.

    Under a strategy, all replicas apply their gradients or none does.

    Args:
        loss_scale: The LossScale.
        pairs: Pairs of a gradient and a variable, a list.
        apply: A function of pairs that makes the Operation that applies the gradients.
        name: Name of the operation, a str. None: a default name.

    Returns:
        The Operation.
    """

    def applied(strategy, pairs):
        changed, allowed = loss_scale.update([g for g, _ in pairs])

        def apply_all():
            if not contexts.has_strategy():
                return apply(pairs)
            return group(strategy.extended.call_for_each_replica(apply, (pairs,)))

        if isinstance(allowed, bool):
            done = apply_all() if allowed else no_op()
        else:
            done = switch_cond(allowed, apply_all, no_op)
        return group(done, changed, name=name)

    if not contexts.has_strategy():
        return applied(None, pairs)
    return contexts.get_replica_context().merge_call(applied, args=(pairs,))


__all__ = ["DynamicLossScale", "FixedLossScale", "LossScale"]
