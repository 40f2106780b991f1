# SPDX-License-Identifier: Apache-2.0
"""The operations that sluice.hvd builds: their ops, attributes, names and keys."""

import contextlib

import pytest
import sluice as sl
import sluice.hvd as hvd
from harness import raises
from sluice.horovod import keys, process_sets, ranks, task


@contextlib.contextmanager
def rank_of(rank, size):
    """As after init() on a rank, without a server. Its value is a new default graph."""
    numbers = task.Numbers(rank, size, rank, size, 0, 1)
    task._task[:] = [task._Task(numbers, None, "grpc://localhost:1", None)]
    try:
        with sl.Graph().as_default() as graph:
            yield graph
    finally:
        process_sets.forget_all()
        task._task.clear()


def collectives(graph):
    return [op for op in graph.get_operations() if op.type.startswith("Collective")]


def facts(op):
    """(op, name that is compared, size of the group, key of the group, key of the instance)."""
    names = ("_collective_name", "group_size", "group_key", "instance_key")
    return (op.type, *[op.get_attr(name) for name in names])


def test_allreduce_is_one_op_with_the_key_of_its_name():
    with rank_of(1, 4) as graph:
        y = hvd.allreduce(sl.constant([1.0, 2.0], name="x"), name="grad")
        (op,) = collectives(graph)
        assert op is y.op and op.name == "grad" and y.shape.as_list() == [2]
        assert facts(op) == (
            "CollectiveReduce", b"grad", 4, process_sets.group_key(hvd.global_process_set),
            keys.key_of("grad"),
        )  # fmt: skip
        assert (op.get_attr("merge_op"), op.get_attr("final_op")) == (b"Add", b"Div")


@pytest.mark.parametrize(
    "op, merge, final", [(hvd.Average, b"Add", b"Div"), (hvd.Sum, b"Add", b"Id"),
                         (hvd.Min, b"Min", b"Id"), (hvd.Max, b"Max", b"Id"),
                         (hvd.Product, b"Mul", b"Id")],
)  # fmt: skip
def test_reductions(op, merge, final):
    with rank_of(0, 2) as graph:
        hvd.allreduce(sl.constant([1]), op=op)
        (made,) = collectives(graph)
        assert (made.get_attr("merge_op"), made.get_attr("final_op")) == (merge, final)


def test_names_follow_from_tensors_and_scopes():
    with rank_of(0, 2) as graph:
        x = sl.constant(1.0, name="layer/x")
        with sl.name_scope("train"):
            hvd.allreduce(x)
            hvd.allreduce(x, name="mine")
            hvd.allreduce(x, name="top", ignore_name_scope=True)
            hvd.allreduce(x)
        assert [op.name for op in collectives(graph)] == [
            "train/Allreduce_layer/x_0", "train/mine", "top", "train/Allreduce_layer/x_0_1",
        ]  # fmt: skip
        assert len({op.get_attr("instance_key") for op in collectives(graph)}) == 4


def test_keys_are_positive_and_equal_on_all_ranks():
    found = []
    for rank in range(3):
        with rank_of(rank, 3) as graph:
            hvd.broadcast(sl.constant([1.0], name="x"), 1)
            hvd.allgather(sl.constant([1.0], name="y"))
            found.append([facts(op)[1:] for op in collectives(graph)])
    assert found[0] == found[1] == found[2] and len(found[0]) == 3
    assert all(0 < key < 1 << 31 for made in found[0] for key in made[2:])


def test_two_names_with_one_key_are_an_error(monkeypatch):
    monkeypatch.setattr(keys, "key_of", lambda name: 7)
    monkeypatch.setattr(keys, "_names", {})
    with rank_of(0, 2):
        hvd.allreduce(1.0, name="one")
        raises(ValueError, lambda: hvd.allreduce(1.0, name="two"), '"one"', '"two"', "key 7")


def test_the_root_sends_and_others_receive():
    for rank, op in ((0, "CollectiveBcastRecv"), (1, "CollectiveBcastSend")):
        with rank_of(rank, 2) as graph:
            y = hvd.broadcast(sl.constant([[1, 2, 3]]), 1)
            (made,) = collectives(graph)
            assert made.type == op and y.shape.as_list() == [1, 3] and y.dtype == sl.int32


def test_a_receiver_evaluates_its_tensor_too():
    with rank_of(0, 2) as graph:
        hvd.broadcast(hvd.allreduce(sl.constant([1.0]), name="x"), 1)
        reduce, receive = collectives(graph)
        found, reached = [receive], {receive}
        for op in found:
            inputs = {*(tensor.op for tensor in op.inputs), *op.control_inputs} - reached
            reached |= inputs
            found += inputs
        assert receive.type == "CollectiveBcastRecv" and reduce in reached


def test_a_tensor_of_unknown_shape_is_broadcast_by_a_gather():
    with rank_of(0, 2) as graph:
        y = hvd.broadcast(sl.placeholder(sl.float32, [None, 3]), 1)
        assert [op.type for op in collectives(graph)] == ["CollectiveGather"]
        assert y.shape.as_list() == [None, 3]


def test_allgather_gathers_the_sizes_first():
    with rank_of(0, 2) as graph:
        y = hvd.allgather(sl.zeros([2, 3]), name="rows")
        assert [op.name for op in collectives(graph)] == ["rows/sizes", "rows"]
        assert y.shape.as_list() == [None, 3]


def test_other_dtypes_travel_as_those_that_the_ops_take():
    with rank_of(0, 2) as graph:
        for dtype in (sl.bool, sl.uint8, sl.int16, sl.uint32, sl.uint64, sl.complex64,
                      sl.complex128, sl.bfloat16):  # fmt: skip
            assert hvd.broadcast(sl.zeros([2, 3], dtype), 0).dtype == dtype
            assert hvd.allgather(sl.zeros([2, 3], dtype)).dtype == dtype
        assert hvd.allreduce(sl.zeros([2], sl.bfloat16)).dtype == sl.bfloat16
        assert hvd.allreduce(sl.zeros([2], sl.int8)).dtype == sl.int8
        taken = {op.outputs[0].dtype.name for op in collectives(graph)}
        assert taken <= {"float16", "float32", "float64", "int32", "int64"}
        raises(TypeError, lambda: hvd.allreduce(sl.constant(["a"])), "string")
        raises(TypeError, lambda: hvd.allreduce(sl.constant([True])), "bool")
        raises(TypeError, lambda: hvd.broadcast(sl.constant(["a"]), 0), "string")


def test_sparse_gradients_are_gathered():
    with rank_of(0, 2) as graph:
        slices = sl.IndexedSlices(sl.ones([2, 3]), sl.constant([0, 4]), sl.constant([9, 3]))
        reduced = hvd.allreduce(slices, name="g")
        assert isinstance(reduced, sl.IndexedSlices) and reduced.indices.dtype == sl.int32
        assert [op.name for op in collectives(graph)] == [
            "g_values/sizes", "g_values", "g_indices/sizes", "g_indices",
        ]  # fmt: skip
        raises(ValueError, lambda: hvd.allreduce(slices, op=hvd.Max), "IndexedSlices", "Max")


def test_optimizer_reduces_gradients_by_the_names_of_variables():
    with rank_of(0, 2) as graph:
        w = sl.get_variable("layer/w", [3])
        table = sl.get_variable("table", [5, 2])
        loss = sl.reduce_sum(w * w) + sl.reduce_sum(sl.gather(table, [1, 1]))
        optimizer = hvd.DistributedOptimizer(sl.train.MomentumOptimizer(0.1, 0.9),
                                             compression=hvd.Compression.fp16)  # fmt: skip
        assert isinstance(optimizer, sl.train.Optimizer)
        optimizer.minimize(loss)
        scope = "DistributedMomentumOptimizer_Allreduce/"
        assert [op.name for op in collectives(graph)] == [
            scope + name for name in ("layer_w", "table_values/sizes", "table_values",
                                      "table_indices/sizes", "table_indices")
        ]  # fmt: skip
        assert collectives(graph)[0].outputs[0].dtype == sl.float16
        assert optimizer.get_slot(w, "momentum") is not None


def test_a_tape_reduces_gradients():
    with rank_of(0, 2) as graph:
        w = sl.get_variable("layer/w", [3], use_resource=True)
        table = sl.get_variable("table", [5, 2], use_resource=True)
        with sl.GradientTape(persistent=True) as tape:
            loss = sl.reduce_sum(w * w) + sl.reduce_sum(sl.gather(table, [1, 1]))
        tape = hvd.DistributedGradientTape(tape, sparse_as_dense=True, op=hvd.Sum)
        assert isinstance(tape, sl.GradientTape)
        found = tape.gradient(loss, {"w": w, "table": table})
        assert sorted(found) == ["table", "w"] and found["table"].shape.as_list() == [5, 2]
        scope = "DistributedGradientTape_Allreduce/"
        assert {op.name for op in collectives(graph)} == {scope + "layer_w", scope + "table"}
        assert {op.get_attr("final_op") for op in collectives(graph)} == {b"Id"}
        raises(ValueError, lambda: hvd.DistributedGradientTape(tape, op=hvd.Max), "Max")


def test_optimizers_of_keras_reduce_gradients():
    with rank_of(0, 2) as graph:
        table = sl.get_variable("table", [5, 2], use_resource=True)
        loss = sl.reduce_sum(sl.gather(table, [1, 1]))
        made = hvd.DistributedOptimizer(
            sl.keras.optimizers.SGD(0.1), sparse_as_dense=True, compression=hvd.Compression.fp16
        )
        (gradient,) = made.get_gradients(loss, [table])
        (reduced,) = collectives(graph)
        assert reduced.outputs[0].shape.as_list() == [5, 2] and gradient.dtype == sl.float32
        assert (reduced.name, reduced.outputs[0].dtype) == (
            "DistributedSGD_Allreduce/table", sl.float16,
        )  # fmt: skip
        made.minimize(lambda: sl.reduce_sum(table), [table])
        assert len(collectives(graph)) == 2


def test_several_passes_of_an_optimizer_of_keras():
    with rank_of(0, 1), sl.Session() as session:
        x = sl.placeholder(sl.float32, [])
        w = sl.get_variable("w", initializer=1.0, use_resource=True)
        made = hvd.DistributedOptimizer(
            sl.keras.optimizers.SGD(1.0, momentum=0.5), backward_passes_per_step=2,
        )  # fmt: skip
        (update,) = made.get_updates(w * x, [w])
        session.run(sl.global_variables_initializer())  # Keras has initialized the sums
        found = []
        for value in (1.0, 2.0, 1.0, 1.0):
            session.run(update, {x: value})
            found.append(float(session.run(w)))
        assert found == [1.0, -2.0, -2.0, -5.5]  # -5.5: -2 - (2 + 0.5 * 3)
        assert session.run(made.iterations) == 4
        again = hvd.DistributedOptimizer(
            sl.keras.optimizers.SGD(1.0), backward_passes_per_step=2
        )  # its sums are others
        again.get_updates(w * x, [w])
        other = hvd.DistributedOptimizer(sl.keras.optimizers.SGD(1.0), backward_passes_per_step=2)
        raises(ValueError, lambda: other.apply_gradients([(w * 1.0, w)]), "compute the gradients")


def test_gradients_have_names_that_all_ranks_know():
    found = []
    for rank in range(2):
        with rank_of(rank, 2) as graph, sl.name_scope("layer"):
            x = sl.constant([1.0])
            y = hvd.broadcast(hvd.allreduce(x, name="sum"), 1, name="sent")
            sl.gradients(y, x)
            sl.gradients(2 * y, x)
            found.append([facts(op)[1:] for op in collectives(graph)])
    assert found[0] == found[1]
    assert [name for name, *_ in found[0]] == [
        b"layer/sum", b"layer/sent, root rank 1", b"layer/sent_grad", b"layer/sum_grad",
        b"layer/sent_grad_1", b"layer/sum_grad_1",
    ]  # fmt: skip


def test_only_sums_and_averages_have_gradients():
    with rank_of(0, 2):
        x = sl.constant([1.0])
        y = hvd.allreduce(x, op=hvd.Max, name="most")
        raises(LookupError, lambda: sl.gradients(y, x), "most has no gradient", "Sum")


def test_process_sets():
    with rank_of(2, 4) as graph:
        odd, even = hvd.add_process_set([1, 3]), hvd.add_process_set(hvd.ProcessSet([2, 0]))
        assert (even.ranks, even.size(), even.rank(), even.included()) == ([0, 2], 2, 1, True)
        assert (odd.process_set_id, even.process_set_id, odd.included()) == (1, 2, False)
        hvd.allreduce(1.0, process_set=even)
        made = collectives(graph)[0]
        assert made.get_attr("group_size") == 2
        assert made.get_attr("group_key") != process_sets.group_key(hvd.global_process_set)
        with sl.Session() as session:  # the program runs it on other ranks only
            outside = hvd.allreduce(1.0, process_set=odd)
            raises(sl.errors.InvalidArgumentError, lambda: session.run(outside), "rank 2", "[1, 3]")
        raises(ValueError, lambda: hvd.broadcast(1.0, 1, process_set=even), "rank 1")
        raises(ValueError, lambda: hvd.add_process_set([0, 2]), "added before")
        raises(ValueError, lambda: hvd.add_process_set([4]), "from 0 to 3")
        new = hvd.ProcessSet([1, 2])
        raises(ValueError, lambda: hvd.allreduce(1.0, process_set=new), "not added")
        raises(ValueError, lambda: hvd.add_process_set(range(4)), "added before")
        assert hvd.remove_process_set(even) and not hvd.remove_process_set(even)
        assert hvd.add_process_set(new).process_set_id == 2  # again


def test_functions_of_a_set_that_has_other_ranks():
    with rank_of(2, 4) as graph:
        odd, even = hvd.add_process_set([1, 3]), hvd.add_process_set([0, 2])
        w = sl.get_variable("w", [3], use_resource=True)
        loss = sl.reduce_sum(w * w)
        own = sl.train.GradientDescentOptimizer(0.1).compute_gradients(loss)
        optimizer = hvd.DistributedOptimizer(
            sl.train.GradientDescentOptimizer(0.1), process_set=odd
        )
        found = optimizer.compute_gradients(loss)
        assert not collectives(graph)
        assert [v for _, v in found] == [v for _, v in own] and found[0][0].shape.as_list() == [3]
        outside, root = "rank 2 is not in ProcessSet", "the root, rank 1, is not in ProcessSet"
        raises(ValueError, lambda: hvd.allgather_object(1, process_set=odd), outside, "included()")
        raises(ValueError, lambda: hvd.broadcast_object(1, 1, process_set=odd), outside)
        raises(ValueError, lambda: hvd.broadcast_object(1, 1, process_set=even), root, "[0, 2]")
        raises(ValueError, lambda: hvd.broadcast_variables([w], 1, process_set=even), root)


def test_sets_of_init_may_be_equal():
    with rank_of(2, 4):
        first, same, everyone = (hvd.ProcessSet(r) for r in ([1, 3], [3, 1], range(4)))
        process_sets.add_at_start([first, same, everyone, [0], [0]])
        assert [s.process_set_id for s in (first, same, everyone)] == [1, 1, 0]
        assert process_sets.added(2).ranks == [0]
        assert hvd.remove_process_set(same) and first.process_set_id is None


def test_numbers_as_tensors():
    with rank_of(1, 3) as graph, sl.Session() as session:
        first = hvd.add_process_set([0, 2])
        tensors = [
            hvd.rank_op(), hvd.size_op(name="all"), hvd.local_rank_op(), hvd.local_size_op(),
            hvd.size_op(first.process_set_id), hvd.process_set_included_op(),
            hvd.process_set_included_op(first.process_set_id),
        ]  # fmt: skip
        assert {t.dtype for t in tensors} == {sl.int32} and tensors[1].op.name == "all"
        assert [int(value) for value in session.run(tensors)] == [1, 3, 1, 3, 2, 1, 0]
        raises(ValueError, lambda: hvd.size_op(5), "id 5")
        hvd.grouped_reducescatter([sl.zeros([3]), sl.zeros([6])], op=hvd.Sum, name="g")
        assert [op.name for op in collectives(graph)] == ["g_0", "g_1"]


def test_wrong_calls():
    with rank_of(0, 2):
        raises(ValueError, lambda: hvd.allreduce(1.0, op="sum"), "Average, Sum")
        raises(ValueError, lambda: hvd.allreduce(1.0, average=True, op=hvd.Sum), "not both")
        raises(ValueError, lambda: hvd.broadcast(1.0, 2), "rank 2")
        raises(ValueError, lambda: hvd.allgather(1.0), "scalar")
        raises(TypeError, lambda: hvd.alltoall([1.0], [1.0, 0.0]), "must be integers")
        raises(ValueError, lambda: hvd.SyncBatchNormalization(fused=None), "fused=True")
        raises(TypeError, lambda: hvd.DistributedOptimizer(object()), "train.Optimizer")
    raises(ValueError, hvd.rank, "hvd.init()")
    raises(ValueError, lambda: hvd.allreduce(1.0), "hvd.init()")
    raises(ValueError, lambda: hvd.init([0]), "communicator")


def test_no_library_of_horovod_is_built_in():
    assert not any([hvd.nccl_built(), hvd.mpi_threads_supported(), hvd.gloo_enabled()])
    hosts = ["a", "a", "b"]
    place = ranks.Place(0, 3, None, None, "")
    assert not task.numbers_of(place, hosts).homogeneous
    with rank_of(0, 2):
        assert hvd.is_homogeneous()


@pytest.mark.parametrize(
    "name", ["Adasum", "join", "elastic", "DistributedAdasumOptimizer", "nonsense"]
)
def test_absent_names_say_why(name):
    error = raises(AttributeError, lambda: getattr(hvd, name), "sluice.hvd has no " + name)
    assert name == "nonsense" or ": " in str(error)


def test_one_rank_runs_without_collectives():
    with rank_of(0, 1) as graph, sl.Session() as session:
        slices = sl.IndexedSlices(sl.constant([[2.0]]), sl.constant([3]))
        values = [
            hvd.allreduce([1.0, 2.0], op=hvd.Sum, prescale_factor=2.0, postscale_factor=3.0),
            hvd.allreduce(sl.constant([5, 7]), prescale_factor=0.5), hvd.allgather([[1], [2]]),
            hvd.broadcast(sl.constant(True), 0), hvd.alltoall([4, 5], [2]),
            hvd.reducescatter([1.0, 2.0]), hvd.allreduce(slices),
        ]  # fmt: skip
        found = session.run(values)
        assert not collectives(graph)
    assert found[0].tolist() == [6.0, 12.0] and found[1].tolist() == [2, 3]
    assert found[2].tolist() == [[1], [2]] and found[3]
    assert [part.tolist() for part in found[4]] == [[4, 5], [2]]
    assert found[5].tolist() == [1.0, 2.0] and found[6].values.tolist() == [[2.0]]


def test_learning_rate_grows_to_the_number_of_ranks():
    with rank_of(0, 8), sl.Session() as session:
        step = sl.placeholder(sl.int64, [])
        rate = hvd.scaled_learning_rate(0.1, step, 10)
        rates = [float(session.run(rate, {step: n})) for n in (0, 5, 10, 99)]
        assert rates == pytest.approx([0.1, 0.45, 0.8, 0.8])
        assert float(session.run(hvd.scaled_learning_rate(0.1, step, 0))) == pytest.approx(0.8)
        raises(ValueError, lambda: hvd.scaled_learning_rate(0.1, step, -1), "-1")


def test_gradients_of_several_passes_are_added_up():
    with rank_of(0, 1), sl.Session() as session:
        x, w = sl.placeholder(sl.float32, []), sl.get_variable("w", initializer=1.0)
        step = sl.train.create_global_step()
        optimizer = hvd.DistributedOptimizer(
            sl.train.MomentumOptimizer(1.0, 0.0), backward_passes_per_step=3,
            average_aggregated_gradients=True,
        )  # fmt: skip
        train = optimizer.minimize(w * x, step)
        session.run([sl.global_variables_initializer(), sl.local_variables_initializer()])
        found = []
        for value in (1.0, 2.0, 6.0, 1.0, 1.0, 1.0):
            session.run(train, {x: value})
            found.append(float(session.run(w)))
        assert found == [1.0, 1.0, -2.0, -2.0, -2.0, -3.0]
        assert session.run(step) == 6
