# SPDX-License-Identifier: Apache-2.0
"""Typical mistakes of users, as data: a function that makes one, and what our error must name.

mistakes_test.py runs them with both clients and compares the classes of the errors.
"""

import os
import tempfile

import numpy as np

MISTAKES = []


class Mistake:
    """One mistake.

    section, title: for the table. call(tf): makes the mistake. names: texts that our message must
    have: the culprit, and the cure where there is one. line: the error leads to this file.
    newer: the class that TensorFlow 2.21 raises where it is another than 1.15's. here: the class
    that we raise where TensorFlow raises none, and why in `reason`.
    """

    def __init__(self, section, title, call, names, line, newer, here, reason):
        self.section, self.title, self.call, self.names = section, title, call, names
        self.line, self.newer, self.here, self.reason = line, newer, here, reason


def mistake(section, title, *names, line=False, newer=None, here=None, reason=None):
    def add(function):
        MISTAKES.append(Mistake(section, title, function, names, line, newer, here, reason))
        return function

    return add


def run(tf, fetches, feeds=None, **kw):
    with tf.Session(**kw) as session:
        return session.run(fetches, feeds)


# ---- feeds


@mistake("feeds", "a list of 3 columns for a placeholder of 2", "x:0", "(1, 3)", "(?, 2)")
def wide_list(tf):
    x = tf.placeholder(tf.float32, [None, 2], name="x")
    run(tf, x, {x: [[1, 2, 3]]})


@mistake("feeds", "a flat list for a column", "x:0", "(2,)", "(2, 1)")
def flat_list(tf):
    x = tf.placeholder(tf.float32, [2, 1], name="x")
    run(tf, x, {x: [1, 2]})


@mistake("feeds", "an array of another rank", "images:0", "(28, 28)", "(?, 784)")
def wrong_rank(tf):
    images = tf.placeholder(tf.float32, [None, 784], name="images")
    run(tf, images, {images: np.zeros((28, 28), np.float32)})


@mistake("feeds", "300 for uint8", "300", "x:0", "uint8", newer="OverflowError")
def large_for_uint8(tf):
    x = tf.placeholder(tf.uint8, name="x")
    run(tf, x, {x: 300})


@mistake("feeds", "2**40 for int32", "1099511627776", "x:0", "a larger type", newer="OverflowError")
def large_for_int32(tf):
    x = tf.placeholder(tf.int32, name="x")
    run(tf, x, {x: 2**40})


@mistake("feeds", "None", "None", "x:0", here="TypeError", reason="TensorFlow feeds nan")
def none_fed(tf):
    x = tf.placeholder(tf.float32, name="x")
    run(tf, x, {x: None})


@mistake("feeds", "a text for float32", "abc", "x:0", "float32")
def text_for_float(tf):
    x = tf.placeholder(tf.float32, name="x")
    run(tf, x, {x: "abc"})


@mistake("feeds", "a tensor as the value", "x:0", "Python scalars")
def tensor_fed(tf):
    x = tf.placeholder(tf.float32, name="x")
    run(tf, x, {x: tf.constant(1.0)})


@mistake("feeds", "lists of unequal lengths", "x:0")
def ragged_fed(tf):
    x = tf.placeholder(tf.float32, [None, None], name="x")
    run(tf, x, {x: [[1, 2], [3]]})


@mistake("feeds", "nothing for a placeholder", "feed a value", "x", line=True)
def not_fed(tf):
    x = tf.placeholder(tf.float32, [], name="x")
    run(tf, x * 2.0)


@mistake("feeds", "the name of the op for the tensor's", "'x'", "x:0")
def op_name_fed(tf):
    x = tf.placeholder(tf.float32, name="x")
    run(tf, x, {"x": 1.0})


@mistake("feeds", "a name that is not in the graph", "y:0")
def unknown_name_fed(tf):
    x = tf.placeholder(tf.float32, name="x")
    run(tf, x, {"y:0": 1.0})


@mistake("feeds", "a list in place of the dictionary", "feed_dict")
def list_of_feeds(tf):
    x = tf.placeholder(tf.float32, name="x")
    run(tf, x, [(x, 1.0)])


@mistake("feeds", "a placeholder of another graph", "x:0", "graph")
def foreign_fed(tf):
    with tf.Graph().as_default():
        x = tf.placeholder(tf.float32, name="x")
    run(tf, tf.constant(1.0), {x: 1.0})


# ---- shapes


@mistake("shapes", "matmul of sizes that do not fit", "MatMul", "[2,3]", "[2,3]")
def matmul_sizes(tf):
    a = tf.placeholder(tf.float32, [2, 3])
    tf.matmul(a, a)


@mistake("shapes", "a sum that cannot be broadcast", "[2]", "[3]")
def broadcast(tf):
    return tf.zeros([2]) + tf.zeros([3])


@mistake("shapes", "concat of different rows", "Concat")
def concat_rows(tf):
    tf.concat([tf.zeros([2, 3]), tf.zeros([2, 4])], 0)


@mistake("shapes", "concat in the order of arguments of 0.x", "concat(values, axis)")
def concat_old(tf):
    tf.concat(0, [tf.zeros([2]), tf.zeros([2])])


@mistake("shapes", "reshape to another number of elements", "6 elements", "[4]")
def reshape_count(tf):
    tf.reshape(tf.zeros([2, 3]), [4])


@mistake("shapes", "a filter of other channels than the image", "Conv2D", "3", "4")
def conv_channels(tf):
    image, kernel = tf.zeros([1, 8, 8, 3]), tf.zeros([2, 2, 4, 5])
    tf.nn.conv2d(image, kernel, strides=[1, 1, 1, 1], padding="SAME")


@mistake("shapes", "a reduction over an axis that is not there", "5", "Sum")
def reduction_axis(tf):
    tf.reduce_sum(tf.zeros([2, 3]), 5)


@mistake("shapes", "transpose with too few axes", "Transpose")
def transpose_axes(tf):
    tf.transpose(tf.zeros([2, 3]), [0])


@mistake("shapes", "split into parts that do not fit", "Split", "3")
def split_parts(tf):
    tf.split(tf.zeros([4, 2]), 3)


@mistake("shapes", "stack of different shapes", "[2]", "[3]")
def stack_shapes(tf):
    tf.stack([tf.zeros([2]), tf.zeros([3])])


@mistake("shapes", "squeeze of a size that is not 1", "Squeeze", "2")
def squeeze_two(tf):
    tf.squeeze(tf.zeros([2, 1]), [0])


@mistake("shapes", "a bias of another length", "BiasAdd", "4", "3")
def bias_length(tf):
    tf.nn.bias_add(tf.zeros([2, 4]), tf.zeros([3]))


@mistake("shapes", "a value of another shape assigned", "[2]", "[3]")
def assign_shape(tf):
    v = tf.Variable(tf.zeros([2]))
    v.assign(tf.zeros([3]))


@mistake("shapes", "a variable of unknown shape", "a shape specified")
def variable_shape(tf):
    tf.Variable(tf.placeholder(tf.float32, [None]))


@mistake("shapes", "set_shape() against what is known", "(2,)", "(3,)")
def set_shape(tf):
    tf.zeros([2]).set_shape([3])


@mistake("shapes", "a loop variable that grows", "shape_invariants")
def loop_shape(tf):
    start = [tf.constant(0), tf.zeros([1])]
    tf.while_loop(lambda i, x: i < 3, lambda i, x: [i + 1, tf.concat([x, x], 0)], start)


@mistake("shapes", "class numbers in a column", "labels", "(?,)")
def sparse_labels(tf):
    labels, logits = tf.placeholder(tf.int32, [None, 1]), tf.placeholder(tf.float32, [None, 10])
    tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)


@mistake("shapes", "losses without the names of arguments", "labels=", newer="no error")
def xent_positions(tf):
    x = tf.zeros([2, 3])
    tf.nn.softmax_cross_entropy_with_logits(x, x)


@mistake("shapes", "an index out of range, known at run time only", "5", "GatherV2", line=True)
def gather_index(tf):
    at = tf.placeholder(tf.int32)
    run(tf, tf.gather(tf.zeros([3]), at), {at: 5})


# ---- dtypes


@mistake("dtypes", "an int tensor and a float tensor added", "float32", "int32")
def mixed_sum(tf):
    return tf.constant(1) + tf.constant(1.0)


@mistake("dtypes", "a number of Python times a tensor of another kind", "Mul", "int32", "float32")
def mixed_product(tf):
    tf.multiply(2, tf.constant(1.5))


@mistake("dtypes", "1.5 as an int32 constant", "1.5", "int32")
def float_for_int(tf):
    tf.constant(1.5, tf.int32)


@mistake("dtypes", "texts and numbers in one constant", "1")
def mixed_list(tf):
    tf.constant(["a", 1])


@mistake("dtypes", "lists of unequal lengths as a constant", "[[1, 2], [3]]")
def ragged_constant(tf):
    tf.constant([[1, 2], [3]])


@mistake("dtypes", "None as a constant", "None")
def none_constant(tf):
    tf.constant(None)


@mistake("dtypes", "square roots of integers", "Sqrt", "int32", "float32")
def int_root(tf):
    tf.sqrt(tf.constant(4))


@mistake("dtypes", "a slice by a float", "0.5")
def float_index(tf):
    return tf.zeros([3])[0.5]


@mistake("dtypes", "branches of different dtypes", "float32", "int32")
def cond_dtypes(tf):
    tf.cond(tf.placeholder(tf.bool), lambda: tf.constant(1.0), lambda: tf.constant(1))


@mistake("dtypes", "`if` of a tensor", "Less:0", "tf.cond")
def if_tensor(tf):
    if tf.less(tf.constant(1), 2, name="Less"):
        pass


@mistake("dtypes", "`for` over a tensor", "unstack")
def for_tensor(tf):
    for _ in tf.zeros([3]):
        pass


@mistake("dtypes", "a dtype that does not exist", "float31")
def unknown_dtype(tf):
    tf.zeros([2], dtype="float31")


# ---- names


@mistake("names", "a blank in a name", "a b")
def blank_name(tf):
    tf.constant(1.0, name="a b")


@mistake("names", "a variable made twice", "w", "reuse")
def variable_twice(tf):
    tf.get_variable("w", [2])
    tf.get_variable("w", [2])


@mistake("names", "a variable reused that was never made", "s/w", "reuse")
def variable_missing(tf):
    with tf.variable_scope("s", reuse=True):
        tf.get_variable("w", [2])


@mistake("names", "a variable reused with another shape", "w", "(2,)", "(3,)")
def variable_reshaped(tf):
    tf.get_variable("w", [2])
    with tf.variable_scope("", reuse=True):
        tf.get_variable("w", [3])


@mistake("names", "a tensor's name without its output", "x:0", "<op_name>:<output_index>")
def tensor_name(tf):
    tf.placeholder(tf.float32, name="x")
    tf.get_default_graph().get_tensor_by_name("x")


@mistake("names", "a tensor that is not there", "y")
def tensor_missing(tf):
    tf.get_default_graph().get_tensor_by_name("y:0")


@mistake("names", "an illegal device", "/cpux:0")
def device_name(tf):
    with tf.device("/cpux:0"):
        tf.constant(1.0)


@mistake("names", "an unknown op in a graph_def", "Conv9D")
def unknown_op(tf):
    graph_def = tf.GraphDef()
    graph_def.node.add(name="a", op="Conv9D")
    tf.import_graph_def(graph_def, name="")


@mistake("names", "a misspelt function", "relux")
def misspelt(tf):
    tf.nn.relux(tf.zeros([2]))


# ---- sessions


@mistake("sessions", "a variable that was not initialised", "w", line=True)
def uninitialised(tf):
    w = tf.get_variable("w", [2])
    run(tf, w * 2.0)


@mistake("sessions", "a run after close()", "closed")
def closed(tf):
    x = tf.constant(1.0)
    session = tf.Session()
    session.close()
    session.run(x)


@mistake("sessions", "None fetched", "None")
def none_fetched(tf):
    run(tf, [tf.constant(1.0), None])


@mistake("sessions", "a fetch of another graph", "Const:0", "graph")
def foreign_fetch(tf):
    with tf.Graph().as_default():
        x = tf.constant(1.0)
    tf.constant(2.0)
    run(tf, x)


@mistake("sessions", "a session of a graph that is still empty", "empty", "graph")
def empty_graph(tf):
    with tf.Graph().as_default():
        x = tf.constant(1.0)
    run(tf, x)


@mistake("sessions", "eval() without a session", "session")
def no_session(tf):
    tf.constant(1.0).eval()


@mistake("sessions", "an op added to a finalized graph", "finalized")
def finalized(tf):
    tf.get_default_graph().finalize()
    tf.constant(1.0)


@mistake("sessions", "a checkpoint that is not there", "nowhere")
def no_checkpoint(tf):
    tf.get_variable("w", [2])
    with tf.Session() as session:
        tf.train.Saver().restore(session, os.path.join(tempfile.gettempdir(), "nowhere"))


@mistake("sessions", "a variable that the checkpoint lacks", "b")
def checkpoint_lacks(tf):
    tf.get_variable("a", [2])
    with tempfile.TemporaryDirectory() as folder, tf.Session() as session:
        session.run(tf.global_variables_initializer())
        path = tf.train.Saver().save(session, os.path.join(folder, "model"))
        tf.get_variable("b", [2])
        tf.train.Saver().restore(session, path)


@mistake("sessions", "a Saver without variables", "variables")
def saver_of_nothing(tf):
    tf.train.Saver()


@mistake("sessions", "a loss that depends on no variable", "variables")
def nothing_to_train(tf):
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0))


@mistake("sessions", "a loss that no gradient comes back from", "w")
def no_gradient(tf):
    tf.get_variable("w", [2])
    tf.train.GradientDescentOptimizer(0.1).minimize(tf.constant(1.0) * 2.0)


# ---- servers


@mistake("servers", "a job that the cluster lacks", "wroker")
def unknown_job(tf):
    tf.train.Server({"worker": ["localhost:0"]}, job_name="wroker", task_index=0, start=False)


@mistake("servers", "a task that the job lacks", "3", newer="InternalError")
def unknown_task(tf):
    tf.train.Server({"worker": ["localhost:0"]}, job_name="worker", task_index=3, start=False)


@mistake("servers", "addresses that are no list", "localhost:2222")
def bad_cluster(tf):
    tf.train.ClusterSpec({"worker": "localhost:2222"}).num_tasks("worker")
    tf.train.ClusterSpec(["localhost:2222"])


@mistake("servers", "a job asked of a ClusterSpec that lacks it", "ps")
def spec_job(tf):
    tf.train.ClusterSpec({"worker": ["localhost:2222"]}).task_address("ps", 0)


@mistake("servers", "an op on a job that is not there", "/job:ps", line=True)
def absent_job(tf):
    with tf.device("/job:ps/task:0"):
        x = tf.constant(1.0)
    run(tf, x)


# ---- options


@mistake("options", "an option that does not exist", "threads")
def unknown_option(tf):
    tf.ConfigProto(threads=4)


@mistake("options", "a text for a number", "4")
def option_type(tf):
    tf.ConfigProto(intra_op_parallelism_threads="4")


@mistake("options", "a dictionary as the config", "ConfigProto")
def config_dict(tf):
    tf.Session(config={"log_device_placement": True})


@mistake("options", "a time limit that is too short", "q")
def time_limit(tf):
    queue = tf.FIFOQueue(1, tf.float32, name="q")
    with tf.Session() as session:
        session.run(queue.dequeue(), options=tf.RunOptions(timeout_in_ms=200))


@mistake("options", "a padding that does not exist", "padding", "SOME")
def padding(tf):
    image, kernel = tf.zeros([1, 8, 8, 3]), tf.zeros([2, 2, 3, 5])
    tf.nn.conv2d(image, kernel, strides=[1, 1, 1, 1], padding="SOME")


@mistake("options", "a keyword that a function lacks", "axes")
def unknown_keyword(tf):
    tf.reduce_sum(tf.zeros([2]), axes=0)
