# SPDX-License-Identifier: Apache-2.0
"""Writes GraphDefs of TensorFlow client programs with the shapes TensorFlow infers, one file each.

Usage: tf_graphs.py FOLDER. Runs with TensorFlow 1.15 and 2.x.
"""

import os
import sys

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402

tf = getattr(tf.compat, "v1", tf)
tf.logging.set_verbosity(tf.logging.ERROR)
tf.disable_v2_behavior()

PROGRAMS = []


def program(make):
    PROGRAMS.append(make)
    return make


def minimize(loss):
    for optimizer in (
        tf.train.GradientDescentOptimizer(0.1),
        tf.train.MomentumOptimizer(0.1, 0.9),
        tf.train.AdamOptimizer(),
    ):
        optimizer.minimize(loss)


def mlp_with(use_resource):
    x = tf.placeholder(tf.float32, [None, 20], "x")
    labels = tf.placeholder(tf.int32, [None], "labels")
    h = x
    with tf.variable_scope("net", use_resource=use_resource):
        for i, n in enumerate((32, 10)):
            w = tf.get_variable(
                "w%d" % i, [h.shape[1], n], initializer=tf.truncated_normal_initializer(stddev=0.1)
            )
            b = tf.get_variable("b%d" % i, [n], initializer=tf.zeros_initializer())
            h = tf.nn.bias_add(tf.matmul(h, w), b)
            h = tf.nn.relu(h) if n != 10 else h
    loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=h))
    tf.reduce_mean(
        tf.cast(tf.equal(tf.argmax(h, 1), tf.cast(labels, tf.int64)), tf.float32), name="accuracy"
    )
    minimize(loss)
    tf.global_variables_initializer()


@program
def mlp():
    mlp_with(False)


@program
def mlp_resource():
    mlp_with(True)


@program
def cnn():
    x = tf.placeholder(tf.float32, [None, 28, 28, 1])
    y = tf.placeholder(tf.float32, [None, 10])
    h = x
    for i, (k, n) in enumerate(((5, 8), (3, 16))):
        w = tf.get_variable("w%d" % i, [k, k, h.shape[-1], n])
        h = tf.nn.conv2d(h, w, [1, 1, 1, 1], "SAME" if i == 0 else "VALID")
        scale, offset = tf.ones([n]), tf.zeros([n])
        h = tf.nn.fused_batch_norm(h, scale, offset)[0]
        h = tf.nn.max_pool(tf.nn.relu(h), [1, 2, 2, 1], [1, 2, 2, 1], "SAME")
    h = tf.nn.lrn(tf.nn.avg_pool(h, [1, 3, 3, 1], [1, 2, 2, 1], "VALID"))
    h = tf.reshape(h, [-1, int(np.prod(h.shape[1:]))])
    h = tf.nn.dropout(h, rate=0.5)
    logits = tf.matmul(h, tf.get_variable("out", [h.shape[1], 10]))
    minimize(tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits)))


@program
def separable():
    x = tf.placeholder(tf.float32, [4, 16, 16, 3])
    d = tf.get_variable("d", [3, 3, 3, 2])
    p = tf.get_variable("p", [1, 1, 6, 8])
    h = tf.nn.elu(tf.nn.separable_conv2d(x, d, p, [1, 2, 2, 1], "SAME"))
    h = tf.nn.conv2d_transpose(h, tf.get_variable("t", [3, 3, 4, 8]), [4, 16, 16, 4], [1, 2, 2, 1])
    tf.gradients(tf.reduce_sum(h), tf.trainable_variables())
    tf.space_to_batch(x, [[0, 0], [0, 0]], 2)


@program
def lstm_loop():
    batch, steps, width = 4, 7, 5
    x = tf.placeholder(tf.float32, [steps, batch, 3])
    w = tf.get_variable("w", [3 + width, 4 * width])
    b = tf.get_variable("b", [4 * width])
    xs = tf.TensorArray(tf.float32, steps).unstack(x)

    def body(t, c, h, out):
        i, j, f, o = tf.split(
            tf.nn.bias_add(tf.matmul(tf.concat([xs.read(t), h], 1), w), b), 4, axis=1
        )
        c = c * tf.sigmoid(f + 1.0) + tf.sigmoid(i) * tf.tanh(j)
        h = tf.tanh(c) * tf.sigmoid(o)
        return t + 1, c, h, out.write(t, h)

    zero = tf.zeros([batch, width])
    _, _, h, out = tf.while_loop(
        lambda t, *_: t < steps,
        body,
        (0, zero, zero, tf.TensorArray(tf.float32, steps, element_shape=[batch, width])),
    )
    minimize(tf.reduce_mean(tf.square(h)) + tf.reduce_sum(out.stack()))


@program
def growing_loop():
    i = tf.constant(0)
    x = tf.zeros([1, 3])
    tf.while_loop(
        lambda i, x: i < 5,
        lambda i, x: (i + 1, tf.concat([x, x], 0)),
        (i, x),
        shape_invariants=(i.shape, tf.TensorShape([None, 3])),
    )
    tf.while_loop(
        lambda i, x: i < 5,
        lambda i, x: (i + 1, x * 2.0),
        (i, tf.placeholder(tf.float32, [None, 2])),
    )


@program
def branches():
    p = tf.placeholder(tf.bool, [])
    x = tf.placeholder(tf.float32, [3, 4])
    a = tf.cond(p, lambda: x * 2.0, lambda: x + 1.0)
    b = tf.cond(p, lambda: tf.zeros([3, 4]), lambda: tf.zeros([3, 5]))
    tf.cond(p, lambda: tf.cond(tf.reduce_sum(x) > 0, lambda: a, lambda: -a), lambda: a)
    tf.shape(b)
    tf.gradients(a, x)


@program
def embedding():
    table = tf.get_variable("table", [100, 8])
    parts = tf.get_variable("parts", [100, 8], partitioner=tf.fixed_size_partitioner(3))
    ids = tf.placeholder(tf.int64, [None, 6])
    e = tf.nn.embedding_lookup(table, ids) + tf.nn.embedding_lookup(parts, ids)
    loss = tf.reduce_sum(
        tf.nn.sampled_softmax_loss(
            table, tf.zeros([100]), tf.reshape(ids[:, 0], [-1, 1]), e[:, 0], 5, 100
        )
    )
    for optimizer in (
        tf.train.AdagradOptimizer(0.1),
        tf.train.FtrlOptimizer(0.1),
        tf.train.RMSPropOptimizer(0.1, centered=True),
    ):
        optimizer.minimize(loss)
    minimize(loss)


def moved(x, n):
    return [
        tf.reshape(x, [n, 24]),
        tf.reshape(x, [n * 2, -1]),
        tf.reshape(x, tf.concat([tf.shape(x)[:2], [2, 3]], 0)),
        tf.reshape(x, tf.stack([n, 4, 6])),
        tf.transpose(x, [2, 0, 1]),
        tf.transpose(x),
        x[:, 1],
        x[..., tf.newaxis, ::-2],
        x[1:3, :-1],
        x[:, 0:4:2, 1:2],
        tf.slice(x, [0, 1, 2], [-1, 2, 3]),
        tf.tile(x, [1, 2, 1]),
        tf.pad(x, [[1, 1], [0, 2], [3, 0]]),
        tf.expand_dims(x, -1),
        tf.expand_dims(x, 1),
        tf.squeeze(tf.expand_dims(x, 0)),
        tf.squeeze(x[:, :1], [1]),
        tf.concat([x, x], 1),
        tf.concat([x, tf.zeros([5, 4, 6])], 0),
        tf.stack([x, x], 2),
        tf.one_hot([1, 2], 5),
        tf.gather(x, [[1], [0]], axis=1),
        tf.gather(x, [0, 2]),
        tf.gather_nd(x, [[0, 1], [1, 2]]),
        tf.where(x > 0),
        tf.where(x > 0, x, -x),
        tf.fill([2, n], 1.0),
        tf.zeros_like(x),
        tf.ones_like(x),
        tf.range(10),
        tf.range(2, 11, 3),
        tf.range(n),
        tf.linspace(0.0, 1.0, 7),
    ]


def computed(x, y, n):
    return [
        tf.reduce_sum(x),
        tf.reduce_sum(x, 1),
        tf.reduce_mean(x, [0, -1], keepdims=True),
        tf.reduce_max(y),
        tf.reduce_min(y, 0, keepdims=True),
        tf.argmax(x, 2),
        tf.cumsum(x, 1),
        tf.reverse(x, [1]),
        tf.broadcast_to(tf.zeros([1, 6]), [4, 6]),
        x + tf.zeros([6]),
        x * tf.zeros([1, 4, 1]),
        x - y,
        tf.matmul(x, tf.zeros([6, 2])[tf.newaxis] + tf.zeros([1, 1, 1])),
        tf.matrix_diag(tf.zeros([2, 3])),
        tf.diag_part(tf.zeros([3, 3])),
        tf.cast(x, tf.int32),
        tf.bitcast(tf.zeros([2, 3], tf.int32), tf.uint8),
        tf.dynamic_stitch([[0, 2], [1]], [tf.zeros([2, 3]), tf.zeros([1, 3])]),
        tf.unsorted_segment_sum(x, tf.zeros([n], tf.int32), 4),
        tf.segment_sum(tf.zeros([5, 2]), [0, 0, 1, 1, 2]),
        tf.scatter_nd([[1], [2]], tf.zeros([2, 3]), [4, 3]),
        tf.random_uniform([2, 3]),
        tf.random_normal(tf.shape(x)),
        tf.truncated_normal([n, 3]),
        tf.random_shuffle(x),
        tf.multinomial(tf.zeros([2, 3]), 5),
        tf.nn.l2_loss(x),
        tf.nn.softmax(x),
        tf.add_n([x, x]),
        tf.size(x),
        tf.rank(x),
        tf.shape_n([x, y])[0],
        tf.is_finite(x),
        tf.identity(y),
        tf.stop_gradient(x),
        tf.check_numerics(x, "m"),
        tf.clip_by_global_norm([x, y], 1.0)[0][0],
        tf.norm(x, axis=1),
        tf.einsum("bij,jk->bik", x, tf.zeros([6, 2])),
        tf.nn.moments(x, [0, 1])[0],
        tf.reduce_any(x > 0, 1),
        tf.squared_difference(x, 1.0),
        tf.unstack(x, axis=1)[0],
        tf.split(x, [1, 3], 1)[1],
        tf.ones(tf.concat([tf.shape(x)[1:], [2]], 0)),
        tf.eye(3),
        tf.eye(n),
        tf.boolean_mask(x, x[:, 0, 0] > 0),
        tf.unique([1, 2, 1])[0],
        tf.nn.top_k(x, 3)[0],
        tf.cast(tf.nn.in_top_k(tf.zeros([4, 5]), [1, 2, 3, 4], 2), tf.float32),
        tf.space_to_depth(tf.zeros([1, 4, 4, 3]), 2),
        tf.matrix_inverse(tf.eye(3)),
        tf.linalg.det(tf.eye(3)),
        tf.cholesky(tf.eye(4)),
        tf.sequence_mask([1, 2], 5),
        tf.floormod(tf.range(5), 3),
        tf.dynamic_partition(x, tf.zeros([n], tf.int32), 2)[1],
        tf.invert_permutation([1, 0]),
        tf.setdiff1d([1, 2], [1])[0],
    ]


@program
def arrays():
    x = tf.placeholder(tf.float32, [None, 4, 6])
    y = tf.placeholder(tf.float32)
    n = tf.shape(x)[0]
    values = moved(x, n) + computed(x, y, n)
    tf.gradients(
        [
            v
            for v in values
            if v.dtype == tf.float32 and v.op.type not in ("RandomShuffle", "LinSpace")
        ],
        x,
    )


@program
def queues():
    q = tf.FIFOQueue(10, [tf.float32], shapes=[[3]])
    q.enqueue_many(tf.zeros([4, 3]))
    q.dequeue()
    q.size()
    tf.train.SyncReplicasOptimizer(tf.train.GradientDescentOptimizer(0.1), 2)
    v = tf.Variable(tf.zeros([2]))
    tf.train.Saver()
    tf.summary.merge([tf.summary.scalar("s", v[0]), tf.summary.histogram("h", v)])
    tf.count_up_to(tf.Variable(0), 3)
    tf.assign(v, tf.zeros([2]))
    tf.assign_add(v, [1.0, 2.0])
    tf.scatter_update(v, [0], [1.0])
    v[:1].assign([3.0])
    tf.Print(v, [v])


def main(folder):
    for make in PROGRAMS:
        with tf.Graph().as_default() as graph:
            with tf.device("/cpu:0" if make is branches else None):
                make()
            with open(os.path.join(folder, make.__name__ + ".pb"), "wb") as f:
                f.write(graph.as_graph_def(add_shapes=True).SerializeToString())


if __name__ == "__main__":
    main(sys.argv[1])
