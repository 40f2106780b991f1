# SPDX-License-Identifier: Apache-2.0
"""Optimizers derived from tf.keras.optimizers.Optimizer, in the shape of known ones."""

import numpy as np

ONLY_1X = True
X = np.linspace(-1, 1, 24).reshape(8, 3).astype(np.float32)
Y = (X[:, :1] * 2 - X[:, 1:2] + 0.5).astype(np.float32)
ROWS = np.array([[0, 2], [2, 2], [4, 1]])


def _trained(tf, optimizer, steps=4):
    """The losses of a model, its weights and those of the optimizer; dense gradients."""
    keras = tf.keras
    model = keras.Sequential([
        keras.layers.Dense(4, "tanh", input_shape=(3,), kernel_initializer=keras.initializers.
                           Constant(0.3), bias_initializer="ones"),
        keras.layers.Dense(1, kernel_initializer="ones"),
    ])  # fmt: skip
    model.compile(optimizer, "mse")
    losses = [float(model.train_on_batch(X, Y)) for _ in range(steps)]
    return [losses, model.get_weights(), optimizer.get_weights()]


def _rows(tf, optimizer, steps=3):
    """The variables after steps whose gradients are rows, of which one comes twice."""
    table = tf.Variable(np.linspace(-1, 1, 10).reshape(5, 2).astype(np.float32),
                        use_resource=True, name="table")  # fmt: skip
    other = tf.Variable([[1.0], [-1.0]], use_resource=True, name="other")

    def loss():
        picked = tf.gather(table, tf.constant(ROWS))
        return tf.reduce_sum(tf.square(tf.matmul(tf.reshape(picked, [-1, 2]), other) - 1.0))

    train = optimizer.minimize(loss, [table, other])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            sess.run(train)
        slots = {name: optimizer.get_slot(table, name) for name in optimizer.get_slot_names()}
        return sess.run([[table, other], slots, optimizer.iterations])


def known_ones_with_rows(tf):
    o = tf.keras.optimizers
    makers = [
        lambda: o.SGD(0.1), lambda: o.SGD(0.1, 0.9, nesterov=True), lambda: o.RMSprop(0.1),
        lambda: o.RMSprop(0.1, centered=True), lambda: o.RMSprop(0.1, momentum=0.9),
        lambda: o.RMSprop(0.1, momentum=0.9, centered=True), lambda: o.Adagrad(0.1),
        lambda: o.Adadelta(1.0), lambda: o.Adam(0.1), lambda: o.Adam(0.1, amsgrad=True),
        lambda: o.Adamax(0.1), lambda: o.Nadam(0.1), lambda: o.Ftrl(0.1),
        lambda: o.Ftrl(0.1, l1_regularization_strength=0.01,
                       l2_shrinkage_regularization_strength=0.1),
    ]  # fmt: skip
    found = []
    for make in makers:
        with tf.Graph().as_default():
            found.append(_rows(tf, make()))
    return found


def rectified_adam(tf):
    class Rectified(tf.keras.optimizers.Optimizer):
        """Adam whose step waits until the variance is known (Liu et al., 2019)."""

        def __init__(self, learning_rate=0.01, beta_1=0.9, beta_2=0.999, epsilon=1e-7,
                     warm_steps=0, name="Rectified", **kwargs):  # fmt: skip
            super().__init__(name, **kwargs)
            self._set_hyper("learning_rate", kwargs.get("lr", learning_rate))
            self._set_hyper("beta_1", beta_1)
            self._set_hyper("beta_2", beta_2)
            self._set_hyper("decay", self._initial_decay)
            self._set_hyper("warm_steps", int(warm_steps))
            self.epsilon = epsilon or tf.keras.backend.epsilon()
            self._warms = warm_steps > 0

        def _create_slots(self, var_list):
            for name in ("m", "v"):
                for var in var_list:
                    self.add_slot(var, name)

        def _resource_apply_dense(self, grad, var):
            kind = var.dtype.base_dtype
            rate = self._decayed_lr(kind)
            m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
            b1, b2 = self._get_hyper("beta_1", kind), self._get_hyper("beta_2", kind)
            step = tf.cast(self.iterations + 1, kind)
            if self._warms:
                warm = self._get_hyper("warm_steps", kind)
                rate = tf.where(step <= warm, rate * step / warm, rate)
            most = 2.0 / (1.0 - b2) - 1.0
            sma = most - 2.0 * step * tf.pow(b2, step) / (1.0 - tf.pow(b2, step))
            new_m = m.assign(b1 * m + (1.0 - b1) * grad, use_locking=self._use_locking)
            new_v = tf.assign(v, b2 * v + (1.0 - b2) * tf.square(grad), self._use_locking)
            mean = new_m / (1.0 - tf.pow(b1, step))
            root = tf.sqrt(new_v / (1.0 - tf.pow(b2, step))) + self.epsilon
            factor = tf.sqrt((sma - 4.0) / (most - 4.0) * (sma - 2.0) / (most - 2.0) * most / sma)
            change = tf.where(sma > 5.0, factor * mean / root, mean)
            updated = tf.assign_sub(var, rate * change, use_locking=self._use_locking)
            return tf.group(updated, new_m, new_v)

        def _resource_apply_sparse(self, grad, var, indices):
            dense = tf.scatter_nd(tf.expand_dims(indices, 1), grad, tf.shape(var))
            return self._resource_apply_dense(tf.cast(dense, grad.dtype), var)

        def get_config(self):
            names = ("learning_rate", "beta_1", "beta_2", "decay", "warm_steps")
            numbers = {name: self._serialize_hyperparameter(name) for name in names}
            return dict(super().get_config(), epsilon=self.epsilon, **numbers)

    found = [_trained(tf, Rectified(0.05, warm_steps=2, decay=0.1), 8)]
    kept = Rectified(0.05, beta_2=0.9, clipnorm=0.5)
    found += [_rows(tf, kept, 7), kept.get_config()]
    again = Rectified.from_config(Rectified(lr=0.25, warm_steps=3).get_config())
    found += [again.get_config(), again.warm_steps.shape.as_list(), again.warm_steps.dtype.name]
    return found


def decoupled_weight_decay(tf):
    class Decay:
        """Takes a part of a variable away in each step (Loshchilov and Hutter, 2017)."""

        def __init__(self, weight_decay, **kwargs):
            self._skipped = kwargs.pop("skipped", ())
            super().__init__(**kwargs)
            self._set_hyper("weight_decay", weight_decay)

        def get_config(self):
            config = super().get_config()
            config["weight_decay"] = self._serialize_hyperparameter("weight_decay")
            return config

        def _decay(self, var, grad):
            if any(part in var.name for part in self._skipped):
                return tf.no_op()
            rate = self._get_hyper("weight_decay", var.dtype)
            with tf.control_dependencies([grad]):  # the loss reads the old value
                return var.assign_sub(rate * var.read_value(), self._use_locking)

        def _resource_apply_dense(self, grad, var, apply_state=None):
            with tf.control_dependencies([self._decay(var, grad)]):
                return super()._resource_apply_dense(grad, var, apply_state=apply_state)

        def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
            with tf.control_dependencies([self._decay(var, grad)]):
                return super()._resource_apply_sparse(grad, var, indices, apply_state=apply_state)

    class AdamW(Decay, tf.keras.optimizers.Adam):
        def __init__(self, weight_decay, learning_rate=0.001, name="AdamW", **kwargs):
            super().__init__(weight_decay, learning_rate=learning_rate, name=name, **kwargs)

    class MomentumW(Decay, tf.keras.optimizers.SGD):
        pass

    schedule = tf.keras.optimizers.schedules.PiecewiseConstantDecay([2, 3], [0.1, 0.05, 0.01])
    found = [_trained(tf, AdamW(0.01, 0.05, skipped=("bias",)), 5)]
    found.append(_trained(tf, AdamW(lambda: 0.02, schedule), 5))
    found.append(_rows(tf, AdamW(0.01, 0.05)))
    with tf.Graph().as_default():
        optimizer = MomentumW(0.01, learning_rate=0.1, momentum=0.9)
        found += [_rows(tf, optimizer), optimizer.get_config()]
    return found


def layer_wise_rates(tf):
    class LayerWise(tf.keras.optimizers.Optimizer):
        """Adam with a rate for each variable by norms (You et al., 2019)."""

        def __init__(self, learning_rate=0.01, beta_1=0.9, beta_2=0.999, weight_decay=0.01,
                     name="LayerWise", **kwargs):  # fmt: skip
            super().__init__(name, **kwargs)
            self._set_hyper("learning_rate", learning_rate)
            self._set_hyper("decay", self._initial_decay)
            self._set_hyper("beta_1", beta_1)
            self._set_hyper("beta_2", beta_2)
            self._set_hyper("weight_decay", weight_decay)

        def _create_slots(self, var_list):
            for var in var_list:
                self.add_slot(var, "m", "zeros")
            for var in var_list:
                self.add_slot(var, "v", tf.zeros_initializer())

        def _prepare_local(self, var_device, var_dtype, apply_state):
            super()._prepare_local(var_device, var_dtype, apply_state)
            step = tf.cast(self.iterations + 1, var_dtype)
            b1 = tf.identity(self._get_hyper("beta_1", var_dtype))
            b2 = tf.identity(self._get_hyper("beta_2", var_dtype))
            apply_state[(var_device, var_dtype)].update(dict(
                b1=b1, b2=b2, m_factor=1 / (1 - tf.pow(b1, step)),
                v_factor=1 / (1 - tf.pow(b2, step)),
                weight_decay=tf.identity(self._get_hyper("weight_decay", var_dtype)),
            ))  # fmt: skip

        def _resource_apply_dense(self, grad, var, apply_state=None):
            key = var.device, var.dtype.base_dtype
            c = (apply_state or {}).get(key) or self._fallback_apply_state(*key)
            m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
            m_t = tf.assign(m, m * c["b1"] + grad * (1 - c["b1"]), use_locking=True)
            v_t = tf.assign(v, v * c["b2"] + grad * grad * (1 - c["b2"]), use_locking=True)
            change = m_t * c["m_factor"] / (tf.sqrt(v_t * c["v_factor"]) + 1e-6)
            if "bias" not in var.op.name:
                change = change + c["weight_decay"] * var
            w, g = tf.norm(var, ord=2), tf.norm(change, ord=2)
            ratio = tf.where(w > 0, tf.where(g > 0, w / g, tf.ones_like(w)), tf.ones_like(w))
            return tf.group(tf.assign_sub(var, ratio * c["lr_t"] * change), m_t, v_t)

        def _resource_apply_sparse(self, grad, var, indices, apply_state=None):
            c = apply_state[(var.device, var.dtype.base_dtype)]
            m = self.get_slot(var, "m")
            with tf.control_dependencies([m.assign(m * c["b1"])]):
                m_t = self._resource_scatter_add(m, indices, grad * (1 - c["b1"]))
            changed = self._resource_scatter_add(
                var, indices, -c["lr_t"] * tf.gather(m_t, indices)
            )
            return tf.group(changed, m_t)

        def get_config(self):
            return {**super().get_config(), "beta_1": self._serialize_hyperparameter("beta_1")}

    return [_trained(tf, LayerWise(0.05, decay=0.01)), _rows(tf, LayerWise(0.1))]


def lazy_rows(tf):
    class Lazy(tf.keras.optimizers.Adam):
        """Adam whose moments of a row change only when the row has a gradient."""

        def _resource_apply_sparse(self, grad, var, indices):
            kind = var.dtype.base_dtype
            b1, b2 = self._get_hyper("beta_1", kind), self._get_hyper("beta_2", kind)
            step = tf.cast(self.iterations + 1, kind)
            rate = self._decayed_lr(kind) * tf.sqrt(1 - tf.pow(b2, step)) / (1 - tf.pow(b1, step))
            m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
            m_rows = b1 * tf.gather(m, indices) + (1 - b1) * grad
            v_rows = b2 * tf.gather(v, indices) + (1 - b2) * tf.square(grad)
            m_t = self._resource_scatter_update(m, indices, m_rows)
            v_t = self._resource_scatter_update(v, indices, v_rows)
            change = rate * m_rows / (tf.sqrt(v_rows) + self.epsilon)
            with tf.control_dependencies([m_t, v_t]):
                return self._resource_scatter_add(var, indices, -change)

    return [_rows(tf, Lazy(0.1)), _trained(tf, Lazy(0.1, clipvalue=0.01), 2)]


def look_ahead(tf):
    class LookAhead(tf.keras.optimizers.Optimizer):
        """Every few steps goes back part of the way (Zhang et al., 2019)."""

        def __init__(self, optimizer, period=2, part=0.5, name="LookAhead", **kwargs):
            super().__init__(name, **kwargs)
            self._optimizer = tf.keras.optimizers.get(optimizer)
            self._track_trackable(self._optimizer, "inner")
            self._set_hyper("period", period)
            self._set_hyper("part", part)

        def _create_slots(self, var_list):
            self._optimizer._create_slots(var_list=var_list)
            for var in var_list:
                self.add_slot(var, "slow", initializer=var.initialized_value())

        def _create_hypers(self):
            self._optimizer._create_hypers()
            super()._create_hypers()

        def _prepare(self, var_list):
            return self._optimizer._prepare(var_list=var_list)

        def apply_gradients(self, grads_and_vars, name=None):
            self._optimizer._iterations = self.iterations
            return super().apply_gradients(grads_and_vars, name)

        def _back(self, var):
            period = self._get_hyper("period", tf.int64)
            part = self._get_hyper("part", var.dtype.base_dtype)
            slow = self.get_slot(var, "slow")
            now = tf.equal((self.iterations + 1) % period, 0)
            with tf.control_dependencies([now]):
                middle = slow + part * (var - slow)
                kept = slow.assign(tf.where(now, middle, slow))
                with tf.control_dependencies([kept]):
                    return var.assign(tf.where(now, middle, var))

        def _resource_apply_dense(self, grad, var):
            update = self._optimizer._resource_apply_dense(grad, var)
            with tf.control_dependencies([update]):
                return tf.group(update, self._back(var))

        def _resource_apply_sparse(self, grad, var, indices):
            update = self._optimizer._resource_apply_sparse(grad, var, indices)
            with tf.control_dependencies([update]):
                return tf.group(update, self._back(var))

        def get_config(self):
            return dict(
                super().get_config(), optimizer=tf.keras.optimizers.serialize(self._optimizer),
                period=self._serialize_hyperparameter("period"),
                part=self._serialize_hyperparameter("part"),
            )  # fmt: skip

        @property
        def learning_rate(self):
            return self._optimizer._get_hyper("learning_rate")

        @learning_rate.setter
        def learning_rate(self, value):
            self._optimizer._set_hyper("learning_rate", value)

        @property
        def lr(self):
            return self.learning_rate

        @classmethod
        def from_config(cls, config, custom_objects=None):
            inner = tf.keras.optimizers.deserialize(config.pop("optimizer"), custom_objects)
            return cls(inner, **config)

    wrapped = LookAhead(tf.keras.optimizers.SGD(0.1, momentum=0.9))
    wrapped.learning_rate = 0.05
    found = [_trained(tf, wrapped, 5), float(tf.keras.backend.get_value(wrapped.lr))]
    found += [_rows(tf, LookAhead("adam")), LookAhead("sgd").get_config()]
    config = tf.keras.optimizers.serialize(LookAhead(tf.keras.optimizers.Adam(0.5)))
    again = tf.keras.optimizers.deserialize(config, {"LookAhead": LookAhead})
    found += [again.get_config(), config["class_name"]]
    return found


def averaged_weights(tf):
    class Averaged(tf.keras.optimizers.Optimizer):
        """Keeps the mean of the last variables beside what another optimizer makes."""

        def __init__(self, optimizer, start=1, name="Averaged", **kwargs):
            super().__init__(name, **kwargs)
            self._optimizer = optimizer
            self._set_hyper("start", start)

        def apply_gradients(self, grads_and_vars, name=None):
            grads_and_vars = list(grads_and_vars)
            with tf.control_dependencies([self._optimizer.apply_gradients(grads_and_vars, name)]):
                before = tf.cast(self.iterations, tf.float32)
                means = []
                self._create_hypers()
                taken = tf.maximum(before - self._get_hyper("start", tf.float32), 0.0)
                for _, var in grads_and_vars:
                    mean = self.add_slot(var, "average")
                    new = (mean * taken + var.read_value()) / (taken + 1.0)
                    means.append(mean.assign(new, use_locking=self._use_locking))
                with tf.control_dependencies(means):
                    return self.iterations.assign_add(1).op

        def assign_means(self, variables):
            return tf.group([v.assign(self.get_slot(v, "average")) for v in variables])

        def get_config(self):
            return super().get_config()

    optimizer = Averaged(tf.keras.optimizers.SGD(0.1))
    w = tf.Variable([2.0, -1.0], use_resource=True, name="w")
    train = optimizer.minimize(lambda: tf.reduce_sum(w * w), [w])
    averaged = optimizer.assign_means([w])
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        values = [sess.run([w, sess.run(train) or optimizer.iterations]) for _ in range(5)]
        sess.run(averaged)
        return [values, sess.run(w), [v.name for v in optimizer.weights]]


def a_moment_of_each_layer(tf):
    class OfLayers(tf.keras.optimizers.Optimizer):
        """The second moment is a number for each variable (Ginsburg et al., 2019)."""

        def __init__(self, learning_rate=0.1, name="OfLayers", **kwargs):
            super().__init__(name, **kwargs)
            self._set_hyper("learning_rate", learning_rate)
            self.norms = {}

        def _create_slots(self, var_list):
            for var in var_list:
                self.add_slot(var, "m")
                if var.name not in self.norms:
                    self.norms[var.name] = self.add_weight(
                        "norm_" + var.op.name.replace("/", "_"), shape=(), dtype=var.dtype,
                        initializer=tf.keras.initializers.Constant(0.5), trainable=False,
                    )  # fmt: skip
                    self.weights.append(self.norms[var.name])

        def _resource_apply_dense(self, grad, var):
            m, norm = self.get_slot(var, "m"), self.norms[var.name]
            new_norm = norm.assign(0.5 * norm + 0.5 * tf.reduce_sum(tf.square(grad)))
            scaled = grad / (tf.sqrt(new_norm) + 1e-6)
            new_m = m.assign(0.9 * m + scaled)
            rate = self._get_hyper("learning_rate", var.dtype)
            return var.assign_sub(rate * new_m)

        def _resource_apply_sparse_duplicate_indices(self, grad, var, indices):
            return self._resource_scatter_add(var, indices, -0.1 * grad)

        def get_config(self):
            return super().get_config()

    return [_trained(tf, OfLayers()), _rows(tf, OfLayers(clipnorm=1.0))]


def bounded_and_additive(tf):
    class Bounded(tf.keras.optimizers.Adam):
        """Adam whose rates come closer to those of gradient descent (Luo et al., 2019)."""

        def __init__(self, learning_rate=0.01, final_lr=0.1, gamma=0.5, name="Bounded", **kwargs):
            super().__init__(learning_rate, name=name, **kwargs)
            self._set_hyper("final_lr", final_lr)
            self.gamma, self.base = gamma, learning_rate

        def _resource_apply_dense(self, grad, var, apply_state=None):
            c = apply_state[(var.device, var.dtype.base_dtype)]
            m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
            step = tf.cast(self.iterations + 1, var.dtype)
            final = self._get_hyper("final_lr", var.dtype) * c["lr_t"] / self.base
            m_t = m.assign(c["beta_1_t"] * m + c["one_minus_beta_1_t"] * grad)
            v_t = v.assign(c["beta_2_t"] * v + c["one_minus_beta_2_t"] * tf.square(grad))
            low = final * (1.0 - 1.0 / (self.gamma * step + 1.0))
            high = final * (1.0 + 1.0 / (self.gamma * step))
            rate = tf.clip_by_value(c["lr"] / (tf.sqrt(v_t) + c["epsilon"]), low, high)
            return tf.group(var.assign_sub(rate * m_t), m_t, v_t)

        def get_config(self):
            config = super().get_config()
            config.update(final_lr=self._serialize_hyperparameter("final_lr"), gamma=self.gamma)
            return config

    class Additive(tf.keras.optimizers.Adam):
        """The second moment changes by a sum (Zaheer et al., 2018)."""

        def _create_slots(self, var_list):
            for var in var_list:
                self.add_slot(var, "v", tf.constant_initializer(0.25))
                self.add_slot(var, "m", tf.ones(var.shape) * 0.5)

        def _resource_apply_dense(self, grad, var, apply_state=None):
            c = apply_state[(var.device, var.dtype.base_dtype)]
            m, v = self.get_slot(var, "m"), self.get_slot(var, "v")
            square = grad * grad
            v_t = v.assign(v - c["one_minus_beta_2_t"] * tf.sign(v - square) * square)
            m_t = m.assign(c["beta_1_t"] * m + c["one_minus_beta_1_t"] * grad)
            return var.assign_sub(c["lr"] * m_t / (tf.sqrt(v_t) + 1e-3))

    bounded = Bounded(0.05, decay=0.1, clipnorm=2.0)
    found = [_trained(tf, bounded), bounded.get_config(), _trained(tf, Additive(0.05))]
    found.append([v.name.split("/")[-1] for v in bounded.weights])
    return found


def sums_of_several_steps(tf):
    class Several(tf.keras.optimizers.Adam):
        """Adds up gradients and applies them every second step."""

        def _create_slots(self, var_list):
            super()._create_slots(var_list)
            for var in var_list:
                self.add_slot(var, "sum")

        def get_updates(self, loss, params):
            gradients = self.get_gradients(loss, params)
            self._create_all = [self.iterations, self._create_slots(params)]
            sums = [self.get_slot(v, "sum") for v in params]
            added = [s.assign_add(g) for s, g in zip(sums, gradients)]
            count = self.add_weight("count", [], tf.int64)
            self.weights.append(count)

            def full():
                step = self.apply_gradients(zip([s.read_value() / 2.0 for s in sums], params))
                with tf.control_dependencies([step]):
                    return tf.group([s.assign(tf.zeros_like(s)) for s in sums])

            self._create_hypers()
            with tf.control_dependencies(added):
                applied = tf.cond(tf.equal(count % 2, 1), full, lambda: tf.no_op())
            with tf.control_dependencies([applied]):
                return [count.assign_add(1)]

    return _trained(tf, Several(0.05), 5)


def with_more_updates(tf):
    """Models give params and loss by name: classes of programs have them in either order."""
    backend = tf.keras.backend
    count = backend.variable(0.0, name="count")

    class Updating(tf.keras.optimizers.Optimizer):
        def __init__(self, optimizer, more):
            super().__init__("Updating")
            self.optimizer, self.more = optimizer, more

        def get_updates(self, params, loss):
            return self.optimizer.get_updates(params=params, loss=loss) + self.more

        def get_config(self):
            return self.optimizer.get_config()

    more = [backend.update_add(count, 1.0)]
    model = tf.keras.Sequential(
        [tf.keras.layers.Dense(1, input_shape=(3,), kernel_initializer="ones")]
    )
    model.compile(Updating(tf.keras.optimizers.SGD(0.1), more), "mse")
    values = np.cos(np.arange(12.0)).reshape(4, 3)
    history = model.fit(values, values[:, :1], epochs=3, verbose=0, shuffle=False).history
    return [history, backend.get_value(count), model.get_weights()]
