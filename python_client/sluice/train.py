"""Optimizers and the global step; clusters and servers stand in cluster.py."""

from . import dtypes, ops, raw_ops
from .cluster import ClusterSpec, Server, replica_device_setter
from .convert import constant
from .graph import (
    GraphKeys,
    IndexedSlices,
    colocate_with,
    control_dependencies,
    get_default_graph,
    name_scope,
)
from .variables import Variable, trainable_variables


def get_global_step(graph=None):
    """The graph's global step, or None."""
    graph = graph or get_default_graph()
    steps = graph.get_collection(GraphKeys.GLOBAL_STEP)
    return steps[0] if steps else None


def get_or_create_global_step(graph=None):
    """The graph's global step: an int64 scalar variable that counts updates."""
    graph = graph or get_default_graph()
    found = get_global_step(graph)
    if found is not None:
        return found
    with graph.as_default():
        collections = [GraphKeys.GLOBAL_VARIABLES, GraphKeys.GLOBAL_STEP]
        zero = constant(0, dtypes.int64)
        return Variable(zero, trainable=False, collections=collections, name="global_step")


create_global_step = get_or_create_global_step


class Optimizer:
    """Changes variables to make a loss smaller."""

    def __init__(self, use_locking, name):
        self._use_locking = use_locking
        self._name = name
        self._slots = {}

    def minimize(self, loss, global_step=None, var_list=None, name=None, grad_loss=None):
        """An operation that makes one step: compute_gradients, then apply_gradients."""
        pairs = self.compute_gradients(loss, var_list, grad_loss=grad_loss)
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(self, loss, var_list=None, grad_loss=None):
        """Pairs (gradient, variable); the gradient is None for a variable the loss does not depend
        on."""
        var_list = trainable_variables() if var_list is None else list(var_list)
        grads = ops.gradients(loss, var_list, grad_loss)
        return list(zip(grads, var_list))

    def apply_gradients(self, grads_and_vars, global_step=None, name=None):
        """An operation that applies the gradients, then adds 1 to global_step."""
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError("no gradients: the loss depends on none of the variables")
        with control_dependencies(None):
            self._prepare([v for _, v in pairs])
        with name_scope(name, self._name) as scope:
            updates = []
            for grad, var in pairs:
                with graph_scope("update_" + var.op.name.split("/")[-1]), colocate_with(var.op):
                    updates.append(self._apply(grad, var))
            with control_dependencies(updates):
                updates += self._finish()
            if global_step is None:
                return ops.group(*updates, name=scope)
            with control_dependencies([ops.group(*updates, name="update")]):
                with colocate_with(global_step.op):
                    step = global_step.assign_add(1, name=scope)
            return step if not hasattr(step, "op") else step.op

    def get_slot(self, var, name):
        """The variable that this optimizer keeps beside `var`, or None."""
        return self._slots.get((var, name))

    def variables(self):
        return list(self._slots.values())

    def _zeros_slot(self, var, slot):
        if (var, slot) not in self._slots:
            with colocate_with(var.op, ignore_existing=True):
                zeros = ops.zeros(var.shape.as_list(), var.dtype)
                self._slots[var, slot] = self._beside(var, zeros, f"{var.op.name}/{self._name}")
        return self._slots[var, slot]

    def _beside(self, var, value, name):
        with get_default_graph().name_scope(None):
            return Variable(value, trainable=False, name=name, use_resource=var._is_resource)

    def _prepare(self, var_list):
        """Makes slots."""

    def _finish(self):
        """Operations that run after all updates."""
        return []

    def _apply(self, grad, var):
        if isinstance(grad, IndexedSlices):
            return self._apply_sparse(*_merged(grad), var)
        return self._apply_dense(grad, var)

    def _run(self, op, var, **arguments):
        """Apply`op`, or its resource form, with `arguments`; variables among them as what that
        form takes."""
        resource = var._is_resource
        name = ("Resource" if resource else "") + op
        arguments = {"var": var, **arguments, "use_locking": self._use_locking}
        for key, value in arguments.items():
            if isinstance(value, Variable) and not key.endswith("_power"):
                arguments[key] = value.handle
        result = raw_ops.apply_op(name, **arguments)
        return result if resource else result.op

    def _scalar(self, value, var):
        return value if hasattr(value, "graph") else constant(value, var.dtype)


def graph_scope(name):
    return get_default_graph().name_scope(name)


def _merged(slices):
    """Each row once: the sum of those that repeat."""
    rows, positions = raw_ops.Unique(x=slices.indices)
    values = raw_ops.UnsortedSegmentSum(
        data=slices.values, segment_ids=positions, num_segments=ops.size(rows)
    )
    return values, rows


def _scatter(op, var, rows, values):
    if var._is_resource:
        return raw_ops.apply_op("Resource" + op, resource=var.handle, indices=rows, updates=values)
    return raw_ops.apply_op(op, ref=var, indices=rows, updates=values)


class GradientDescentOptimizer(Optimizer):
    """v -= learning_rate * g."""

    def __init__(self, learning_rate, use_locking=False, name="GradientDescent"):
        super().__init__(use_locking, name)
        self._rate = learning_rate

    def _apply_dense(self, grad, var):
        rate = self._scalar(self._rate, var)
        return self._run("ApplyGradientDescent", var, alpha=rate, delta=grad)

    def _apply_sparse(self, values, rows, var):
        step = values * self._scalar(self._rate, var)
        if var._is_resource:
            return _scatter("ScatterAdd", var, rows, -step)
        return _scatter("ScatterSub", var, rows, step).op


class MomentumOptimizer(Optimizer):
    """a = momentum * a + g; v -= learning_rate * a (Nesterov: v -= rate * (g + momentum * a))."""

    def __init__(self, learning_rate, momentum, use_locking=False, name="Momentum",
                 use_nesterov=False):  # fmt: skip
        super().__init__(use_locking, name)
        self._rate, self._momentum, self._nesterov = learning_rate, momentum, use_nesterov

    def _prepare(self, var_list):
        for var in var_list:
            self._zeros_slot(var, "momentum")

    def _arguments(self, grad, var):
        return {
            "accum": self.get_slot(var, "momentum"), "lr": self._scalar(self._rate, var),
            "grad": grad, "momentum": self._scalar(self._momentum, var),
            "use_nesterov": self._nesterov,
        }  # fmt: skip

    def _apply_dense(self, grad, var):
        return self._run("ApplyMomentum", var, **self._arguments(grad, var))

    def _apply_sparse(self, values, rows, var):
        arguments = self._arguments(values, var)
        return self._run("SparseApplyMomentum", var, indices=rows, **arguments)


class AdamOptimizer(Optimizer):
    """Adam (Kingma and Ba, 2015): rate sqrt(1 - beta2^t) / (1 - beta1^t) * m / (sqrt(v) +
    epsilon)."""

    def __init__(self, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="Adam"):  # fmt: skip
        super().__init__(use_locking, name)
        self._rate, self._beta1, self._beta2, self._epsilon = learning_rate, beta1, beta2, epsilon
        self._powers = None

    def _prepare(self, var_list):
        for slot in ("m", "v"):
            for var in var_list:
                self._zeros_slot(var, slot)
        if self._powers is None:
            first = min(var_list, key=lambda v: v.op.name)
            with colocate_with(first.op, ignore_existing=True):
                self._powers = [
                    self._beside(first, constant(beta, first.dtype), f"beta{i}_power")
                    for i, beta in enumerate((self._beta1, self._beta2), 1)
                ]

    def _terms(self, var):
        values = (self._rate, self._beta1, self._beta2, self._epsilon)
        return [self._scalar(value, var) for value in values]

    def _apply_dense(self, grad, var):
        rate, beta1, beta2, epsilon = self._terms(var)
        return self._run(
            "ApplyAdam", var, m=self.get_slot(var, "m"), v=self.get_slot(var, "v"),
            beta1_power=self._powers[0].value(), beta2_power=self._powers[1].value(), lr=rate,
            beta1=beta1, beta2=beta2, epsilon=epsilon, grad=grad,
        )  # fmt: skip

    def _apply_sparse(self, values, rows, var):
        """Every row's moments decay; those that have a gradient are added to."""
        rate, beta1, beta2, epsilon = self._terms(var)
        power1, power2 = (p.value() for p in self._powers)
        rate = rate * ops.sqrt(1 - power2) / (1 - power1)
        moments = []
        for slot, beta, term in (("m", beta1, values), ("v", beta2, values * values)):
            moment = self.get_slot(var, slot)
            with control_dependencies([moment.assign(moment.value() * beta)]):
                added = _scatter("ScatterAdd", moment, rows, term * (1 - beta))
            with control_dependencies([added]):
                moments.append(ops.identity(moment._read() if var._is_resource else added))
        return var.assign_sub(rate * moments[0] / (ops.sqrt(moments[1]) + epsilon)).op

    def _finish(self):
        updates = []
        for power, beta in zip(self._powers, (self._beta1, self._beta2)):
            with colocate_with(power.op):
                updates.append(power.assign(power.value() * self._scalar(beta, power)).op)
        return updates


__all__ = [
    "AdamOptimizer", "ClusterSpec", "GradientDescentOptimizer", "MomentumOptimizer", "Optimizer",
    "Server", "create_global_step", "get_global_step", "get_or_create_global_step",
    "replica_device_setter",
]  # fmt: skip
