# SPDX-License-Identifier: Apache-2.0
"""Optimizers that programs derive from tf.train.Optimizer, in the shape of known ones."""

import numpy as np

from interop.programs.client._outcomes import outcome

ONLY_1X = True  # later TensorFlows have no initialized_value()
X = np.linspace(-1, 1, 24).reshape(8, 3).astype(np.float32)
Y = (X[:, :1] * 2 - X[:, 1:2] + 0.5).astype(np.float32)


def _trained(tf, make, resource, steps=4):
    """What steps leave in dense and sparse variables, slots and other variables."""
    with tf.Graph().as_default():
        w = tf.get_variable("w", initializer=np.full((3, 1), 0.5, np.float32),
                            use_resource=resource)  # fmt: skip
        table = tf.get_variable("table", initializer=np.eye(4, 2, dtype=np.float32),
                                use_resource=resource)  # fmt: skip
        rows = tf.nn.embedding_lookup(table, [1, 3, 1])
        loss = tf.reduce_mean(tf.square(tf.matmul(X, w) - Y)) + tf.reduce_sum(tf.square(rows))
        optimizer = make()
        train = optimizer.minimize(loss, tf.train.get_or_create_global_step())
        kept = [w, table, tf.train.get_global_step(), *optimizer.variables()]
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            losses = [float(sess.run([loss, train])[0]) for _ in range(steps)]
            return [losses, sess.run(kept), [v.op.name for v in optimizer.variables()]]


def _both(tf, make):
    return [_trained(tf, make, resource) for resource in (False, True)]


def moments_of_rows(tf):
    class Lazy(tf.train.AdamOptimizer):
        """Adam whose moments of a row change only when the row has a gradient."""

        def _apply_sparse(self, grad, var):
            power_1, power_2 = self._get_beta_accumulators()
            return self._rows(grad.values, var, grad.indices, power_1, power_2)

        def _resource_apply_sparse(self, grad, var, indices):
            power_1, power_2 = self._get_beta_accumulators()
            return self._rows(grad, var, indices, power_1, power_2)

        def _rows(self, grad, var, indices, power_1, power_2):
            kind = var.dtype.base_dtype
            lr, b1, b2, eps = (
                tf.cast(t, kind) for t in (self._lr_t, self._beta1_t, self._beta2_t,
                                           self._epsilon_t)
            )  # fmt: skip
            rate = lr * tf.sqrt(1 - tf.cast(power_2, kind)) / (1 - tf.cast(power_1, kind))
            m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
            new_m = b1 * tf.gather(m, indices) + (1 - b1) * grad
            new_v = b2 * tf.gather(v, indices) + (1 - b2) * tf.square(grad)
            kept = [tf.scatter_update(m, indices, new_m), tf.scatter_update(v, indices, new_v)]
            change = rate * new_m / (tf.sqrt(new_v) + eps)
            return tf.group(tf.scatter_sub(var, indices, change), *kept)

    return _both(tf, lambda: Lazy(0.05))


def shared_sparse_update(tf):
    class Sparse(tf.train.AdamOptimizer):
        """Uses the scatter of its base class, with a scale of its own."""

        def _apply_sparse(self, grad, var):
            return self._apply_sparse_shared(
                grad.values * 0.5, var, grad.indices,
                lambda x, i, v: tf.scatter_add(x, i, v, use_locking=self._use_locking),
            )  # fmt: skip

        def _resource_apply_sparse(self, grad, var, indices):
            return self._apply_sparse_shared(
                grad * 0.5, var, indices, self._resource_scatter_add
            )

    return _both(tf, lambda: Sparse(0.05))


def decayed_weights(tf):
    class Decay:
        def __init__(self, weight_decay, **kwargs):
            self._weight_decay, self._of = weight_decay, None
            self._weight_decay_tensor = None
            super().__init__(**kwargs)

        def minimize(self, loss, global_step=None, var_list=None, decayed=None, **kwargs):
            self._of = decayed
            return super().minimize(loss, global_step=global_step, var_list=var_list, **kwargs)

        def _prepare(self):
            self._weight_decay_tensor = tf.convert_to_tensor(
                self._call_if_callable(self._weight_decay), name="weight_decay"
            )
            super()._prepare()

        def _decay(self, var, grad):
            if self._of is not None and var not in self._of:
                return tf.no_op()
            with tf.control_dependencies([grad]):
                part = tf.cast(self._weight_decay_tensor, var.dtype.base_dtype)
                return var.assign_sub(part * var.read_value(), self._use_locking)

        def _apply_dense(self, grad, var):
            with tf.control_dependencies([self._decay(var, grad)]):
                return super()._apply_dense(grad, var)

        def _resource_apply_dense(self, grad, var):
            with tf.control_dependencies([self._decay(var, grad)]):
                return super()._resource_apply_dense(grad, var)

        def _apply_sparse(self, grad, var):
            with tf.control_dependencies([self._decay(var, grad.values)]):
                return super()._apply_sparse(grad, var)

        def _resource_apply_sparse(self, grad, var, indices):
            with tf.control_dependencies([self._decay(var, grad)]):
                return super()._resource_apply_sparse(grad, var, indices)

    class MomentumW(Decay, tf.train.MomentumOptimizer):
        def __init__(self, weight_decay, rate, momentum, use_locking=False, name="MomentumW"):
            super().__init__(weight_decay, learning_rate=rate, momentum=momentum,
                             use_locking=use_locking, name=name)  # fmt: skip

    class AdamW(Decay, tf.train.AdamOptimizer):
        pass

    found = _both(tf, lambda: MomentumW(0.01, 0.05, 0.9))
    return [*found, *_both(tf, lambda: AdamW(lambda: 0.02, learning_rate=0.05))]


def with_weight_decay_in_apply_gradients(tf):
    class Bert(tf.train.Optimizer):
        """Adam without correction of the moments, which makes its own variables."""

        def __init__(self, rate, weight_decay=0.01, exclude=("bias",), name="Bert"):
            super().__init__(False, name)
            self.rate, self.weight_decay, self.exclude = rate, weight_decay, exclude

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            assignments = []
            for grad, param in grads_and_vars:
                if grad is None or param is None:
                    continue
                name = param.name.split(":")[0]
                m, v = (
                    tf.get_variable(name + kind, param.shape.as_list(), tf.float32,
                                    tf.zeros_initializer(), trainable=False)
                    for kind in ("/m", "/v")
                )  # fmt: skip
                new_m = tf.multiply(0.9, m) + tf.multiply(1.0 - 0.9, grad)
                new_v = tf.multiply(0.99, v) + tf.multiply(1.0 - 0.99, tf.square(grad))
                update = new_m / (tf.sqrt(new_v) + 1e-6)
                if name not in self.exclude:
                    update += self.weight_decay * param
                assignments += [param.assign(param - self.rate * update), m.assign(new_m),
                                v.assign(new_v)]  # fmt: skip
            return tf.group(*assignments, name=name)

    return _both(tf, lambda: Bert(0.05))


def non_slot_variables(tf):
    class Bounded(tf.train.Optimizer):
        """Adam with bounds of its rates; the powers are variables of the optimizer."""

        def __init__(self, rate=0.01, final=0.1, gamma=0.5, use_locking=False, name="Bounded"):
            super().__init__(use_locking, name)
            self._lr, self._final, self._gamma = rate, final, gamma

        def _powers(self):
            if tf.executing_eagerly():
                graph = None
            else:
                graph = tf.get_default_graph()
            return [self._get_non_slot_variable(n, graph=graph) for n in ("p1", "p2", "step")]

        def _create_slots(self, var_list):
            first = min(var_list, key=lambda x: x.name)
            for name, value in (("p1", 0.9), ("p2", 0.99), ("step", 1.0)):
                self._create_non_slot_variable(initial_value=value, name=name, colocate_with=first)
            for v in var_list:
                self._zeros_slot(v, "m", self._name)
                self._get_or_make_slot(v, tf.ones_like(v.initialized_value()) * 0.25, "v",
                                       self._name)  # fmt: skip
                self._get_or_make_slot_with_initializer(
                    v, tf.constant_initializer(0.5), v.shape, v.dtype.base_dtype, "most",
                    self._name + "_most",
                )  # fmt: skip

        def _prepare(self):
            self._lr_t = tf.convert_to_tensor(self._call_if_callable(self._lr), name="rate")

        def _resource_apply_dense(self, grad, var):
            p1, p2, step = (tf.cast(p, grad.dtype.base_dtype) for p in self._powers())
            rate = tf.cast(self._lr_t, grad.dtype.base_dtype) * tf.sqrt(1 - p2) / (1 - p1)
            low = self._final * (1.0 - 1.0 / (self._gamma * step + 1.0))
            high = self._final * (1.0 + 1.0 / (self._gamma * step))
            m, v, most = (self.get_slot(var, n) for n in ("m", "v", "most"))
            m_t = m.assign(0.9 * m + 0.1 * grad, use_locking=self._use_locking)
            v_t = v.assign(0.99 * v + 0.01 * tf.square(grad), use_locking=self._use_locking)
            most_t = most.assign(tf.maximum(most, v_t), use_locking=self._use_locking)
            bounded = tf.clip_by_value(rate / (tf.sqrt(most_t) + 1e-8), low, high)
            change = tf.assign_sub(var, m_t * bounded, use_locking=self._use_locking)
            return tf.group(change, m_t, v_t, most_t)

        def _apply_dense(self, grad, var):
            return self._resource_apply_dense(grad, var)

        def _resource_apply_sparse(self, grad, var, indices):
            return var.scatter_sub(tf.IndexedSlices(0.1 * grad, indices)) if hasattr(
                var, "handle") else tf.scatter_sub(var, indices, 0.1 * grad)  # fmt: skip

        def _apply_sparse(self, grad, var):
            return tf.scatter_sub(var, grad.indices, 0.1 * grad.values)

        def _finish(self, update_ops, name_scope):
            with tf.control_dependencies(update_ops):
                p1, p2, step = self._powers()
                with tf.get_default_graph().colocate_with(p1):
                    updated = [p1.assign(p1 * 0.9), p2.assign(p2 * 0.99), step.assign_add(1.0)]
            return tf.group(*(update_ops + updated), name=name_scope)

    return _both(tf, lambda: Bounded(0.05))


def wrapped_optimizers(tf):
    class Averaging(tf.train.Optimizer):
        """Another optimizer, with moving averages that a saver can swap in."""

        def __init__(self, optimizer, decay=0.5, name="Averaging"):
            super().__init__(False, name)
            self._optimizer = optimizer
            self._averages = tf.train.ExponentialMovingAverage(decay, zero_debias=False)

        def compute_gradients(self, *args, **kwargs):
            pairs = self._optimizer.compute_gradients(*args, **kwargs)
            return [(g if isinstance(g, tf.IndexedSlices) else tf.clip_by_norm(g, 0.5), v)
                    for g, v in pairs if g is not None]  # fmt: skip

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            train = self._optimizer.apply_gradients(grads_and_vars, global_step, name)
            with tf.control_dependencies([train]):
                return self._averages.apply([v for _, v in grads_and_vars])

        def variables(self):
            return self._optimizer.variables() + [
                self._averages.average(v) for v in tf.trainable_variables()
            ]

        def get_slot(self, *args, **kwargs):
            return self._optimizer.get_slot(*args, **kwargs)

        def get_slot_names(self):
            return self._optimizer.get_slot_names()

    class Slow(tf.train.Optimizer):
        """Every second step goes back half of the way."""

        def __init__(self, optimizer, name="Slow"):
            super().__init__(optimizer._use_locking, name)
            self._fast = optimizer

        def _create_slots(self, var_list):
            for v in var_list:
                self._get_or_make_slot(v, v.initialized_value(), "slow", self._name)
            self._create_non_slot_variable(0, "count", var_list[0])

        def apply_gradients(self, grads_and_vars, global_step=None, name=None):
            train = self._fast.apply_gradients(grads_and_vars, global_step, name)
            variables = [v for _, v in grads_and_vars]
            with tf.init_scope():
                self._create_slots(variables)
            with tf.control_dependencies([train]):
                count = self._get_non_slot_variable("count", tf.get_default_graph()).assign_add(1)

                def back():
                    moved = []
                    for v in variables:
                        slow = self.get_slot(v, "slow")
                        middle = slow + 0.5 * (v - slow)
                        with tf.control_dependencies([middle]):
                            moved += [slow.assign(middle), v.assign(middle)]
                    with tf.control_dependencies(moved):
                        return tf.constant(True)

                return tf.cond(tf.equal(count % 2, 0), back, lambda: tf.constant(False)).op

    found = _both(tf, lambda: Averaging(tf.train.MomentumOptimizer(0.1, 0.9)))
    return found + [_trained(tf, lambda: Slow(tf.train.AdamOptimizer(0.1)), True)]


def missing_hooks(tf):
    class Bare(tf.train.Optimizer):
        pass

    class NoName(tf.train.Optimizer):
        def __init__(self):
            super().__init__(False, "")

    found = [outcome(NoName), outcome(Bare), Bare(False, "x").get_slot_names()]
    for resource in (False, True):
        with tf.Graph().as_default():
            v = tf.get_variable("v", initializer=[[1.0, 2.0]], use_resource=resource)
            counted = tf.get_variable("n", initializer=[1, 2], use_resource=resource)
            bare = Bare(False, "x")
            losses = [tf.reduce_sum(v), tf.reduce_sum(tf.gather(v, [0])), tf.constant(1.0)]
            found += [outcome(bare.minimize, loss) for loss in losses]
            found.append(outcome(bare.minimize, losses[0], var_list=[]))
            found += [outcome(bare.apply_gradients, pairs) for pairs in ([], [(None, v)])]
            found.append(outcome(bare.compute_gradients, counted))
    return found
