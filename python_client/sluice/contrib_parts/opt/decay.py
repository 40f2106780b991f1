# SPDX-License-Identifier: Apache-2.0
"""Optimizers that let weights decay apart from the gradient (Loshchilov and Hutter, 2019)."""

from ...graph.default_graph import control_dependencies
from ...graph.elements import IndexedSlices
from ...ops import array as arrays
from ...ops.control_flow.grouping import no_op
from ...training.optimizer import Optimizer
from ...training.optimizers import AdamOptimizer, MomentumOptimizer


class DecoupledWeightDecayExtension:
    """A base class that stands before an optimizer's: variables lose a share in each step.

    Args:
        weight_decay: The share, a float or a scalar tensor.
        **kwargs: Arguments of the optimizer.
    """

    def __init__(self, weight_decay, **kwargs):
        self._weight_decay, self._decay_var_list = weight_decay, ()
        super().__init__(**kwargs)

    def minimize(self, loss, global_step=None, var_list=None, gate_gradients=Optimizer.GATE_OP,
                 aggregation_method=None, colocate_gradients_with_ops=False, name=None,
                 grad_loss=None, decay_var_list=None):  # fmt: skip
        """Makes an operation that lowers a loss.

        Args:
            loss: The loss, a tensor.
            global_step: Variable that counts steps. None: none.
            var_list: The variables that change. None: all trainable ones.
            gate_gradients: As of Optimizer.minimize().
            aggregation_method: As of Optimizer.minimize().
            colocate_gradients_with_ops: As of Optimizer.minimize().
            name: Name of the operation, a str. None: a default name.
            grad_loss: The gradient of the loss, a tensor. None: ones.
            decay_var_list: The variables that decay, a list. None: all that change.

        Returns:
            An Operation.
        """
        self._decay_var_list = list(decay_var_list or ())
        return super().minimize(
            loss, global_step=global_step, var_list=var_list, gate_gradients=gate_gradients,
            aggregation_method=aggregation_method,
            colocate_gradients_with_ops=colocate_gradients_with_ops, name=name,
            grad_loss=grad_loss,
        )  # fmt: skip

    def apply_gradients(self, grads_and_vars, global_step=None, name=None, decay_var_list=None):
        """Makes an operation that changes variables by gradients.

        Args:
            grads_and_vars: A list of pairs of a gradient and a variable.
            global_step: Variable that counts steps. None: none.
            name: Name of the operation, a str. None: a default name.
            decay_var_list: The variables that decay, a list. None: all that change.

        Returns:
            An Operation.
        """
        # minimize() calls this without a list: 1.15 then forgets the one that minimize() got.
        self._decay_var_list = list(decay_var_list or ())
        return super().apply_gradients(grads_and_vars, global_step=global_step, name=name)

    def _share(self):
        share = self._weight_decay
        return share() if callable(share) else share

    def _decays(self, var):
        chosen = self._decay_var_list
        return not chosen or any(var is one for one in chosen)

    def _decayed(self, var):
        if not self._decays(var):
            return no_op()
        return var.assign_sub(self._share() * var, use_locking=self._use_locking)

    def _decayed_rows(self, var, indices):
        if not self._decays(var):
            return no_op()
        rows = self._share() * arrays.gather(var, indices)
        return var.scatter_sub(IndexedSlices(rows, indices), use_locking=self._use_locking)

    def _apply_dense(self, grad, var):
        with control_dependencies([self._decayed(var)]):
            return super()._apply_dense(grad, var)

    def _resource_apply_dense(self, grad, var):
        with control_dependencies([self._decayed(var)]):
            return super()._resource_apply_dense(grad, var)

    def _apply_sparse(self, grad, var):
        with control_dependencies([self._decayed_rows(var, grad.indices)]):
            return super()._apply_sparse(grad, var)

    def _resource_apply_sparse(self, grad, var, indices):
        with control_dependencies([self._decayed_rows(var, indices)]):
            return super()._resource_apply_sparse(grad, var, indices)


def extend_with_decoupled_weight_decay(base_optimizer):
    """Makes a class of optimizers whose weights decay.

    Args:
        base_optimizer: A class of optimizers.

    Returns:
        A class. Its first argument is weight_decay; the others, by name, are those of the base.
    """

    class OptimizerWithDecoupledWeightDecay(DecoupledWeightDecayExtension, base_optimizer):
        def __init__(self, weight_decay, *args, **kwargs):
            super().__init__(weight_decay, *args, **kwargs)

    return OptimizerWithDecoupledWeightDecay


class MomentumWOptimizer(DecoupledWeightDecayExtension, MomentumOptimizer):
    """A MomentumOptimizer whose weights decay.

    Args:
        weight_decay: The share that variables lose in each step, a float or a scalar tensor.
        learning_rate: The learning rate, a float or a scalar tensor.
        momentum: The momentum, a float or a scalar tensor.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
        use_nesterov: Whether the momentum is Nesterov's. A bool.
    """

    def __init__(self, weight_decay, learning_rate, momentum, use_locking=False, name="MomentumW",
                 use_nesterov=False):  # fmt: skip
        super().__init__(
            weight_decay, learning_rate=learning_rate, momentum=momentum, use_locking=use_locking,
            name=name, use_nesterov=use_nesterov,
        )  # fmt: skip


class AdamWOptimizer(DecoupledWeightDecayExtension, AdamOptimizer):
    """An AdamOptimizer whose weights decay.

    Args:
        weight_decay: The share that variables lose in each step, a float or a scalar tensor.
        learning_rate: The learning rate, a float or a scalar tensor.
        beta1: Decay of the average of gradients, a float.
        beta2: Decay of the average of squares, a float.
        epsilon: A small float, so that nothing is divided by 0.
        use_locking: Whether updates of the variable take its lock. A bool.
        name: Name of the operations, a str.
    """

    def __init__(self, weight_decay, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-08,
                 use_locking=False, name="AdamW"):  # fmt: skip
        super().__init__(
            weight_decay, learning_rate=learning_rate, beta1=beta1, beta2=beta2, epsilon=epsilon,
            use_locking=use_locking, name=name,
        )  # fmt: skip
