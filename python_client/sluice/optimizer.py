"""What all optimizers have in common."""

from . import arrays, raw_ops
from .building import with_names
from .convert import constant
from .differentiate import gradients
from .graph import (
    IndexedSlices,
    colocate_with,
    control_dependencies,
    get_default_graph,
    name_scope,
)
from .variables import Variable, trainable_variables


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
        grads = gradients(loss, var_list, grad_loss)
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
                with get_default_graph().name_scope(
                    "update_" + var.op.name.split("/")[-1]
                ), colocate_with(var.op):
                    updates.append(self._apply(grad, var))
            with control_dependencies(updates):
                updates += self._finish()
            if global_step is None:
                return arrays.group(*updates, name=scope)
            with control_dependencies([arrays.group(*updates, name="update")]):
                with colocate_with(global_step.op):
                    step = global_step.assign_add(1, name=scope)
            return step if not hasattr(step, "op") else step.op

    def get_slot(self, var, name):
        """The variable that this optimizer keeps beside `var`, or None."""
        return self._slots.get((var, name))

    def variables(self):
        return list(self._slots.values())

    def get_name(self):
        return self._name

    def get_slot_names(self):
        """The names that get_slot takes."""
        return sorted({slot for _, slot in self._slots})

    def _slot(self, var, slot, initial=0.0):
        """A variable of var's shape beside it, full of one value."""
        if (var, slot) not in self._slots:
            with colocate_with(var.op, ignore_existing=True):
                value = constant(initial, var.dtype, shape=var.shape.as_list())
                self._slots[var, slot] = self._beside(var, value, f"{var.op.name}/{self._name}")
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


def _merged(slices):
    """Each row once: the sum of those that repeat."""
    rows, positions = raw_ops.Unique(x=slices.indices)
    values = raw_ops.UnsortedSegmentSum(
        data=slices.values, segment_ids=positions, num_segments=arrays.size(rows)
    )
    return values, rows


def _scatter(op, var, rows, values):
    if var._is_resource:
        return raw_ops.apply_op("Resource" + op, resource=var.handle, indices=rows, updates=values)
    return raw_ops.apply_op(op, ref=var, indices=rows, updates=values)


__all__ = with_names(globals())
