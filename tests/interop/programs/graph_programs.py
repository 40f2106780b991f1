# SPDX-License-Identifier: Apache-2.0
"""Programs, smallest first, whose graphs by our client and by TensorFlow's are compared.

Each is run as text (see client_texts.py), so each stands for itself.
"""

import inspect
import re

import numpy as np

from interop.programs import data_graphs


def one_weight(tf):
    w = tf.Variable([1.0, 2.0], name="w")
    loss = tf.reduce_sum(tf.square(w))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    return tf.global_variables_initializer(), [([train], {}), ([loss, w], {})] * 3


def two_layers(tf):
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    w1 = tf.get_variable("w1", initializer=np.linspace(-1, 1, 15).reshape(3, 5).astype(np.float32))
    w2 = tf.get_variable("w2", initializer=np.linspace(-1, 1, 10).reshape(5, 2).astype(np.float32))
    b = tf.get_variable("b", [5], initializer=tf.zeros_initializer())
    hidden = tf.nn.relu(tf.matmul(x, w1) + b)
    loss = tf.reduce_mean(tf.square(tf.matmul(hidden, w2)))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    data = np.linspace(-1, 1, 12).reshape(4, 3)
    return tf.global_variables_initializer(), [([train], {x: data}), ([loss], {x: data})] * 5


def two_layers_of_resources(tf):
    x = tf.placeholder(tf.float32, [4, 3], name="x")
    values = np.linspace(-1, 1, 15).reshape(3, 5).astype(np.float32)
    w1 = tf.get_variable("w1", initializer=values, use_resource=True)
    w2 = tf.get_variable("w2", initializer=values.reshape(5, 3), use_resource=True)
    b = tf.get_variable("b", [5], initializer=tf.zeros_initializer(), use_resource=True)
    hidden = tf.nn.relu(tf.matmul(x, w1) + b)
    loss = tf.reduce_mean(tf.square(tf.matmul(hidden, w2)))
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
    data = np.linspace(-1, 1, 12).reshape(4, 3)
    return tf.global_variables_initializer(), [([train], {x: data}), ([loss], {x: data})] * 5


def shared_weight(tf):
    x = tf.constant(np.linspace(-1, 1, 12).reshape(4, 3), tf.float32, name="x")
    w = tf.get_variable("w", initializer=np.linspace(-1, 1, 9).reshape(3, 3).astype(np.float32))
    y = tf.tanh(tf.matmul(tf.tanh(tf.matmul(x, w)), w, name="again"))
    loss = tf.reduce_mean(tf.square(y) + tf.reduce_sum(w * w))
    step = tf.train.get_or_create_global_step()
    train = tf.train.AdamOptimizer().minimize(loss, global_step=step)
    return tf.global_variables_initializer(), [([train], {}), ([loss, step], {})] * 5


def _of_optimizer(name, make, resource):
    """The text of a net with shared weights, biases and an embedding, trained by one optimizer."""
    return f"""
def program(tf):
    x = tf.placeholder(tf.float32, [6, 4], name="x")
    ids = tf.placeholder(tf.int32, [6], name="ids")
    step = tf.train.get_or_create_global_step()

    def variable(name, *shape):
        size = int(np.prod(shape))
        value = np.cos(np.arange(size) + len(name)).reshape(shape).astype(np.float32) * 0.3
        return tf.get_variable(name, initializer=value, use_resource={resource})

    rows = tf.nn.embedding_lookup(variable("table", 10, 4), ids)
    w, b = variable("w", 4, 4), variable("b", 4)
    hidden = tf.tanh(tf.nn.bias_add(tf.matmul(x + rows, w), b))
    out = tf.matmul(tf.sigmoid(tf.matmul(hidden, w) + b), variable("out", 4, 3))
    loss = tf.reduce_mean(tf.nn.softmax(out) * out)
    optimizer = {make}
    train = optimizer.minimize(loss, global_step=step)
    feeds = [
        {{x: np.sin(np.arange(24) + s).reshape(6, 4), ids: (np.arange(6) * 3 + s) % 10}}
        for s in range(4)
    ]
    steps = [(what, f) for f in feeds for what in ([train], [loss, step])]
    return tf.global_variables_initializer(), steps
"""


OPTIMIZERS = {
    "GradientDescent": "tf.train.GradientDescentOptimizer(0.1)",
    "Momentum": "tf.train.MomentumOptimizer(0.1, 0.9)",
    "Nesterov": "tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True)",
    "Adam": "tf.train.AdamOptimizer()",
    "Adagrad": "tf.train.AdagradOptimizer(0.1)",
    "Adadelta": "tf.train.AdadeltaOptimizer()",
    "RMSProp": "tf.train.RMSPropOptimizer(0.1)",
    "CenteredRMSProp": "tf.train.RMSPropOptimizer(0.1, centered=True)",
    "Ftrl": "tf.train.FtrlOptimizer(0.1)",
    "ProximalAdagrad": "tf.train.ProximalAdagradOptimizer(0.1)",
    "ProximalGradientDescent": "tf.train.ProximalGradientDescentOptimizer(0.1)",
    "AdagradDA": "tf.train.AdagradDAOptimizer(0.1, step)",
}


def texts():
    """name -> text of every program."""
    found = {}
    for name, value in {**globals(), **vars(data_graphs)}.items():
        if inspect.isfunction(value) and name != "texts" and not name.startswith("_"):
            found[name] = re.sub(r"^def \w+\(", "def program(", inspect.getsource(value))
    for name, make in OPTIMIZERS.items():
        for resource in (False, True):
            kind = "resource" if resource else "reference"
            found[f"{name} of {kind} variables"] = _of_optimizer(name, make, resource)
    return found
