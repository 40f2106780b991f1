# SPDX-License-Identifier: Apache-2.0
"""Texts of objects: repr(), str(), and the picture of a graph in a notebook."""

import re
import xml.etree.ElementTree

import sluice as sl


def shows(value, *texts):
    for text in texts:
        assert text in repr(value), f"{text!r} is not in {value!r}"


def test_as_in_1_15():
    x = sl.placeholder(sl.float32, [None, 2], name="x")
    assert str(x) == 'Tensor("x:0", shape=(?, 2), dtype=float32)', str(x)
    with sl.device("/cpu:0"):
        y = sl.placeholder(sl.int32, name="y")
    assert str(y) == 'Tensor("y:0", dtype=int32, device=/device:CPU:0)', str(y)
    assert repr(x) == "<sluice.Tensor 'x:0' shape=(?, 2) dtype=float32>"
    assert repr(x.op) == "<sluice.Operation 'x' type=Placeholder>"
    assert repr(x.shape) == "TensorShape([Dimension(None), Dimension(2)])"
    assert (str(x.shape), repr(sl.TensorShape(None))) == ("(?, 2)", "TensorShape(None)")
    assert (str(sl.float32), repr(sl.float32)) == ("<dtype: 'float32'>", "sluice.float32")
    cluster = sl.train.ClusterSpec({"worker": ["b:1", "c:1"], "ps": ["a:1"]})
    assert repr(cluster) == "ClusterSpec({'ps': ['a:1'], 'worker': ['b:1', 'c:1']})"
    slices = sl.IndexedSlices(x, y)
    assert str(slices) == f"IndexedSlices(indices={y}, values={x})", str(slices)
    sparse = sl.sparse_placeholder(sl.float32)
    assert str(sparse).startswith('SparseTensor(indices=Tensor("sparse_placeholder/indices')


def test_graphs_and_sessions():
    with sl.Graph().as_default() as graph:
        v = sl.Variable(1.0, name="v")
        shows(graph, "operations, 1 variables")
        shows(v, "<sluice.Variable 'v:0' shape=() dtype=float32_ref>")
        shows(sl.Variable(1.0, name="r", use_resource=True), "'r:0' shape=() dtype=float32>")
        with sl.Session() as session:
            shows(session, "<sluice.Session in this process of <sluice.Graph of ")
        shows(session, "closed")
        graph.finalize()
        shows(graph, "finalized")


def test_servers():
    server = sl.distribute.Server.create_local_server()
    shows(server, "<sluice.Server /job:local/task:0 at grpc://")
    shows(sl.Session(server.target), f"at {server.target}")
    server.stop()
    cluster = {"ps": ["localhost:0"]}
    shows(sl.distribute.Server(cluster, start=False), "/job:ps/task:0 not started")


def test_training():
    v, w = sl.Variable(1.0, name="v"), sl.Variable(1.0, name="w")
    saver = sl.train.Saver([v, w])
    shows(saver, "2 variables: v, w; 0 checkpoints")
    shows(sl.train.Saver(defer_build=True), "not built")
    shows(sl.train.AdamOptimizer(0.5), "<sluice.train.AdamOptimizer 'Adam'")
    shows(sl.train.AdagradOptimizer(0.5), "'Adagrad'", "=0.5")
    coord = sl.train.Coordinator()
    shows(coord, "0 threads, running")
    coord.request_stop(ValueError("enough"))
    shows(coord, "stopping by ValueError('enough')")


def test_queues_and_scopes():
    queue = sl.FIFOQueue(3, [sl.int32, sl.float32], shapes=[[2], []], names=["a", "b"], name="q")
    shows(queue, "<sluice.FIFOQueue 'q", "a: int32 (2,), b: float32 ()")
    runner = sl.train.QueueRunner(queue, [queue.close()])
    shows(runner, "with 1 threads")
    with sl.variable_scope("s", reuse=sl.AUTO_REUSE) as scope:
        shows(scope, "<sluice.VariableScope 's' reuse=AUTO_REUSE>")
    shows(sl.DeviceSpec(job="ps", task=1), "DeviceSpec(job='ps', task=1)")
    shows(sl.TensorArray(sl.int32, 1, element_shape=[2]), "dtype=int32 element_shape=(2,)")


# ---- the picture of a graph


def picture(graph):
    """(the HTML, its SVG as a tree)."""
    html = graph._repr_html_()
    svg = re.search(r"<svg.*</svg>", html, re.DOTALL).group()
    return html, xml.etree.ElementTree.fromstring(svg)


def texts(svg):
    return [t.text for t in svg.iter("{http://www.w3.org/2000/svg}text")]


def test_a_small_graph_shows_every_operation():
    with sl.Graph().as_default() as graph:
        x = sl.placeholder(sl.float32, [None, 2], name="x")
        sl.nn.relu(sl.matmul(x, sl.constant([[1.0], [2.0]], name="w")), name="y")
    html, svg = picture(graph)
    for name in ("x", "w", "MatMul", "y", "Placeholder", "Const", "Relu"):
        assert name in texts(svg), texts(svg)
    titles = [t.text for t in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert any("output 0: float32 (?, 2)" in t for t in titles), titles
    assert any("transpose_a: b: false" in t for t in titles), titles
    assert "3 operations" not in html and "4 operations" in html
    assert "http" not in html.replace("http://www.w3.org/2000/svg", "")


def test_text_is_escaped():
    with sl.Graph().as_default() as graph:
        sl.constant("<script>alert(1)</script> & 'more'")
    html, _ = picture(graph)
    assert "<script" not in html and "&lt;script&gt;" in html


def test_a_large_graph_is_closed():
    with sl.Graph().as_default() as graph:
        h = sl.placeholder(sl.float32, [], name="x")
        for block in range(12):
            with sl.name_scope(f"block_{block}"):
                for _ in range(280):
                    h = sl.tanh(h) * 0.5
        for _ in range(100):
            h = h + 1.0
    assert len(graph.get_operations()) > 10_000
    html, svg = picture(graph)
    found = texts(svg)
    assert "block_0" in found and "block_11" in found and "840 operations" in found, found
    assert len(found) < 100 and len(html) < 50_000


def test_loops_of_boxes_and_an_empty_graph():
    with sl.Graph().as_default() as graph:
        x = sl.constant(1.0, name="a/x")
        for i in range(30):  # from one scope to the other and back
            x = sl.add(x, 1.0, name=f"{'ab'[i % 2]}/op_{i}")
    picture(graph)
    assert "no operations" in sl.Graph()._repr_html_()
