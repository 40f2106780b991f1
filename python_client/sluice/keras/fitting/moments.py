# SPDX-License-Identifier: Apache-2.0
"""The optimizers of Keras that keep a first and a second moment of each gradient."""

from ... import math
from ...graph.default_graph import control_dependencies
from ...graph.seeds import count_more_nodes
from ...ops import array as arrays
from ...ops import raw_ops
from ...ops.control_flow.grouping import group
from .known_optimizer import KnownOptimizer, whole
from .schedules import LearningRateSchedule


class _Moments(KnownOptimizer):
    """What the optimizers with first and second moments share."""

    _hyper_names = ("learning_rate", "decay", "beta_1", "beta_2")
    _option_names = ("epsilon",)

    def __init__(self, learning_rate, beta_1, beta_2, epsilon, name, **kwargs):
        super().__init__(learning_rate, name, epsilon, **kwargs)
        self._set_hyper("beta_1", beta_1)
        self._set_hyper("beta_2", beta_2)

    def _create_slots(self, var_list):
        for name in ("m", "v"):
            for var in var_list:
                self.add_slot(var, name)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        step = arrays.cast(self.iterations + 1, var_dtype)
        beta_1, beta_2 = self._read("beta_1", var_dtype), self._read("beta_2", var_dtype)
        apply_state[(var_device, var_dtype)].update(
            beta_1_t=beta_1, beta_1_power=math.pow(beta_1, step), one_minus_beta_1_t=1 - beta_1,
            beta_2_t=beta_2, beta_2_power=math.pow(beta_2, step), one_minus_beta_2_t=1 - beta_2,
            epsilon=arrays.cast(self.epsilon, var_dtype),
        )  # fmt: skip


class Adam(_Moments):
    """Gradient descent by first and second moments (Kingma and Ba, 2014).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        beta_1: Weight of the old value in the first moment, a float.
        beta_2: Weight of the old value in the second moment, a float.
        epsilon: A small float, so that nothing is divided by 0.
        amsgrad: Whether the largest second moment so far is used (Reddi et al., 2018). A bool.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    _option_names = ("epsilon", "amsgrad")

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, amsgrad=False,
                 name="Adam", **kwargs):  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)
        self.amsgrad = amsgrad

    def _create_slots(self, var_list):
        super()._create_slots(var_list)
        for var in var_list if self.amsgrad else ():
            self.add_slot(var, "vhat")

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        shared = apply_state[(var_device, var_dtype)]
        roots = math.sqrt(1 - shared["beta_2_power"]) / (1 - shared["beta_1_power"])
        shared["lr"] = shared["lr_t"] * roots

    def _resource_apply_dense(self, grad, var, apply_state=None):
        return self._applied_to(grad, var, apply_state)

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        return self._applied_to(whole(grad, var, indices), var, apply_state)

    def _applied_to(self, grad, var, apply_state):
        shared, largest = self._coefficients(var, apply_state), {}
        if self.amsgrad:
            largest["vhat"] = "vhat"
        return raw_ops.apply_op(
            f"ResourceApplyAdam{'WithAmsgrad' * bool(largest)}",
            **self._handles(var, m="m", v="v", **largest), lr=shared["lr_t"], grad=grad,
            beta1=shared["beta_1_t"], beta1_power=shared["beta_1_power"],
            beta2=shared["beta_2_t"], beta2_power=shared["beta_2_power"],
            epsilon=shared["epsilon"],
        )  # fmt: skip

    def set_weights(self, weights):
        count = (len(self.weights) - 1) // 2
        if len(weights) == 3 * count + 1:  # an older Keras saved the largest moments always
            weights = weights[: len(self.weights)]
        super().set_weights(weights)


class Adamax(_Moments):
    """Adam by the largest gradient in place of the second moment (Kingma and Ba, 2014).

    Args:
        learning_rate: The learning rate, a float, a tensor or a schedule.
        beta_1: Weight of the old value in the first moment, a float.
        beta_2: Weight of the old value in the largest gradient, a float.
        epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operations, a str.
        **kwargs: clipnorm, clipvalue, lr, decay: as of Optimizer.
    """

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7,
                 name="Adamax", **kwargs):  # fmt: skip
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        count_more_nodes(2)  # TensorFlow has more, which decide later seeds

    def _resource_apply_dense(self, grad, var, apply_state=None):
        shared = self._coefficients(var, apply_state)
        return raw_ops.ResourceApplyAdaMax(
            **self._handles(var, m="m", v="v"), beta1_power=shared["beta_1_power"],
            lr=shared["lr_t"], beta1=shared["beta_1_t"], beta2=shared["beta_2_t"],
            epsilon=shared["epsilon"], grad=grad,
        )  # fmt: skip

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        shared = self._coefficients(var, apply_state)
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        first = arrays.gather(m, indices) * shared["beta_1_t"]
        first = first + grad * shared["one_minus_beta_1_t"]
        largest = math.maximum(arrays.gather(v, indices) * shared["beta_2_t"], math.abs(grad))
        rate = -shared["lr_t"] / (1 - shared["beta_1_power"])
        step = rate * (first / (largest + shared["epsilon"]))
        with control_dependencies([first, largest]):
            updates = [
                self._resource_scatter_update(m, indices, first),
                self._resource_scatter_update(v, indices, largest),
                self._resource_scatter_add(var, indices, step),
            ]
        return group(*updates)


class Nadam(_Moments):
    """Adam with Nesterov's momentum (Dozat, 2015).

    Args:
        learning_rate: The learning rate, a float.
        beta_1: Weight of the old value in the first moment, a float.
        beta_2: Weight of the old value in the second moment, a float.
        epsilon: A small float, so that nothing is divided by 0.
        name: Name of the operations, a str.
        **kwargs: schedule_decay: how fast beta_1 rises, a float; clipnorm, clipvalue, lr: as of
            Optimizer.
    """

    def __init__(self, learning_rate=0.001, beta_1=0.9, beta_2=0.999, epsilon=1e-7, name="Nadam",
                 **kwargs):  # fmt: skip
        kwargs["decay"] = kwargs.pop("schedule_decay", 0.004)
        if isinstance(kwargs.get("lr", learning_rate), LearningRateSchedule):
            raise ValueError(
                "The Nadam optimizer does not support tf.keras.optimizers.LearningRateSchedules "
                "as the learning rate."
            )
        super().__init__(learning_rate, beta_1, beta_2, epsilon, name, **kwargs)
        self._product = self._product_before = None  # of the momenta of all steps

    def _create_slots(self, var_list):
        if self._product is None:
            self._product = self.add_weight(
                "momentum_cache", [], var_list[0].dtype.base_dtype, initializer="ones"
            )
            self._weights.append(self._product)
        super()._create_slots(var_list)

    def _decayed_lr(self, var_dtype):  # `decay` is that of the momentum
        return self._get_hyper("learning_rate", var_dtype)

    def _prepare(self, var_list):
        self._product_before = arrays.identity(self._product)
        return super()._prepare(var_list)

    def _prepare_local(self, var_device, var_dtype, apply_state):
        super()._prepare_local(var_device, var_dtype, apply_state)
        shared = apply_state[(var_device, var_dtype)]
        now, then = (
            shared["beta_1_t"] * (1.0 - 0.5 * math.pow(
                arrays.cast(0.96, var_dtype),
                self._initial_decay * arrays.cast(self.iterations + number, var_dtype),
            )) for number in (1, 2)
        )  # fmt: skip
        product = arrays.cast(self._product_before, var_dtype) * now
        if var_dtype == self._product.dtype:
            with control_dependencies([self._product.assign(product).op]):
                product = arrays.identity(product)
        shared.update(m_t=now, m_t_1=then, product=product)

    def _mean(self, grad, first, shared):
        """The first moment as the step uses it."""
        product, now, then = shared["product"], shared["m_t"], shared["m_t_1"]
        return (1.0 - now) * grad / (1.0 - product) + then * first / (1.0 - product * then)

    def _moments(self, grad, var, shared):
        m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
        new_m = shared["beta_1_t"] * m + shared["one_minus_beta_1_t"] * grad
        new_v = shared["beta_2_t"] * v + shared["one_minus_beta_2_t"] * math.square(grad)
        updates = m.assign(new_m, read_value=False), v.assign(new_v, read_value=False)
        return new_m, new_v, updates

    def _step(self, grad, first, second, shared):
        root = math.sqrt(second / (1.0 - shared["beta_2_power"])) + shared["epsilon"]
        return shared["lr_t"] * self._mean(grad, first, shared) / root

    def _resource_apply_dense(self, grad, var, apply_state=None):
        shared = self._coefficients(var, apply_state)
        first, second, updates = self._moments(grad, var, shared)
        step = self._step(grad, first, second, shared)
        return group(*updates, var.assign_sub(step, read_value=False))

    def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
        shared = self._coefficients(var, apply_state)
        first, second, updates = self._moments(whole(grad, var, indices), var, shared)
        step = self._step(
            grad, arrays.gather(first, indices), arrays.gather(second, indices), shared
        )
        return group(*updates, self._resource_scatter_add(var, indices, -step))
