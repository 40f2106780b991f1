# SPDX-License-Identifier: Apache-2.0
"""Hash tables that change: their buckets, how they are shared, and the Python classes."""

import functools
import os
import threading

import numpy as np
import pytest
from tensorflow.python.ops import lookup_ops

from interop.tools.tables import (
    FOLDER,
    HERE,
    LATER,
    NOT_NAMED,
    THERE,
    any_shape,
    compare,
    dense,
    pairs,
    raw,
    raw_v1,
    some,
    tf,
    write,
)

JOBS = {"worker": 2}
MUTABLE_PAIRS = [
    ("int32", "float64 float32 int32"),
    ("int64", "float64 float32 int32 int64 string"),
    ("string", "bool float64 float32 int32 int64"),
]
DENSE_PAIRS = [
    ("int32", "float64 float32 int32"),
    ("int64", "bool float64 float32 int32 int64"),
    ("string", "bool float64 float32 int32 int64"),
]


def mutable_pairs(program):
    for op, table in (
        ("MutableHashTableV2", MUTABLE_PAIRS),
        ("MutableHashTableOfTensorsV2", MUTABLE_PAIRS),
        ("MutableDenseHashTableV2", DENSE_PAIRS),
    ):
        for key, value in pairs(table):
            more = {}
            values = some(value, 4, 10)
            if "Tensors" in op:
                more = {"value_shape": [2]}
                values = tf.stack([values, values], 1)
            if "Dense" in op:
                handle = dense(50, 60, key, value, initial_num_buckets=4)
            else:
                handle = getattr(raw, op)(key_dtype=key, value_dtype=value, **more)
            changes(program, handle, some(key, 4), values)


def changes(program, handle, keys, values):
    size = raw.LookupTableSizeV2(table_handle=handle)
    found = raw.LookupTableFindV2(table_handle=handle, keys=keys, default_value=values[0])
    exported = list(
        raw.LookupTableExportV2(table_handle=handle, Tkeys=keys.dtype, Tvalues=values.dtype)
    )

    def look():
        program.run([size, found])
        program.run_sorted(exported)

    look()
    program.run(raw.LookupTableInsertV2(table_handle=handle, keys=keys[:3], values=values[:3]))
    look()
    program.run(raw.LookupTableInsertV2(table_handle=handle, keys=keys[1:], values=values[:3]))
    look()
    program.run(raw.LookupTableRemoveV2(table_handle=handle, keys=keys[:2]))
    program.run(raw.LookupTableRemoveV2(table_handle=handle, keys=keys[:1]))
    look()
    if "Dense" in handle.op.type:  # its exports have the shape of its buckets
        return
    program.run(
        raw.LookupTableImportV2(
            table_handle=handle, keys=any_shape(keys[:2]), values=any_shape(values[2:])
        )
    )
    look()


def shapes_of_changes(program):
    keys, values = tf.placeholder(tf.int64), tf.placeholder(tf.float32)
    types = {"key_dtype": tf.int64, "value_dtype": tf.float32}
    for handle in (
        raw.MutableHashTableV2(**types),
        raw.MutableHashTableOfTensorsV2(value_shape=[2], **types),
        dense(0, -1, initial_num_buckets=16),
        dense([0, 0], [0, -1], initial_num_buckets=16, value_shape=[2]),
    ):
        insert = raw.LookupTableInsertV2(table_handle=handle, keys=keys, values=values)
        imports = raw.LookupTableImportV2(table_handle=handle, keys=keys, values=values)
        remove = raw.LookupTableRemoveV2(table_handle=handle, keys=keys)
        found = raw.LookupTableFindV2(table_handle=handle, keys=keys, default_value=values)
        size = raw.LookupTableSizeV2(table_handle=handle)
        for k, v in (
            (5, 1.0),
            (5, [1.0, 2.0]),
            ([5, 6], [1.0, 2.0]),
            ([5, 6], [[1.0, 2.0], [3.0, 4.0]]),
            ([[5, 6], [7, 8]], [[1.0, 2.0], [3.0, 4.0]]),
            ([[5, 6], [7, 8]], np.ones([2, 2, 2])),
            ([[5, 6], [7, 8]], [1.0, 2.0]),
            (np.ones([2, 2, 2]), np.ones([2, 2, 2])),
            ([], []),
            (np.zeros([0, 2]), np.zeros([0, 2])),
            ([1, 2, 3], [1.0, 2.0]),
            ([1], [[[1.0]]]),
        ):
            fetches = [insert, size]
            if "Dense" not in handle.op.type:  # TensorFlow does not end with others than exports
                fetches += [remove, imports, size]
            if LATER:  # which takes a default for each key
                fetches.append(found)
            for fetch in fetches:
                program.run(fetch, {keys: k, values: v})


def shapes_of_values(program):
    types = {"key_dtype": tf.int64, "value_dtype": tf.float32}
    for shape in ([], [0], [3], [2, 2], None, [None]):
        program.run(raw.MutableHashTableOfTensorsV2(value_shape=shape, **types).op)
        program.run(dense(0, -1, value_shape=shape, initial_num_buckets=16).op)


# ---- dense tables


def dense_op(empty, deleted):
    return dense(empty, deleted, initial_num_buckets=8).op


def mistakes_with_dense_tables(program):
    for more in (
        {"max_load_factor": 0.0},
        {"max_load_factor": 1.0},
        {"max_load_factor": -1.0},
        {"max_load_factor": float("nan")},
        {"initial_num_buckets": 0},
        {"initial_num_buckets": 2},
        {"initial_num_buckets": 12},
        {"initial_num_buckets": -8},
        {"initial_num_buckets": 4},
    ):
        program.run(raw.LookupTableSizeV2(table_handle=dense(0, -1, **more)))
    for empty, deleted in (
        (0, 0),
        ([1, 2], [1, 2]),
        ([1, 2], 3),
        ([[1]], [[2]]),
        ([1], 2),
        ([], []),
    ):
        program.build_and_run(functools.partial(dense_op, empty, deleted))
    table = dense(0, -1, initial_num_buckets=8)
    keys = tf.placeholder(tf.int64)
    values = tf.ones_like(keys, tf.float32)
    for k in ([0], [-1], [5, 0], [6, -1]):
        for fetch in (
            raw.LookupTableInsertV2(table_handle=table, keys=keys, values=values),
            raw.LookupTableFindV2(table_handle=table, keys=keys, default_value=2.0),
            raw.LookupTableRemoveV2(table_handle=table, keys=keys),
            raw.LookupTableSizeV2(table_handle=table),
        ):
            program.run(fetch, {keys: k})


def buckets_of_dense_tables(program):
    """An export is the buckets as they are: those of a checkpoint may come from TensorFlow."""
    random = np.random.RandomState(3)
    keys = tf.placeholder(tf.int64)
    values = tf.cast(keys, tf.float32)
    table = dense(0, -1, initial_num_buckets=4, max_load_factor=0.7)
    insert = raw.LookupTableInsertV2(table_handle=table, keys=keys, values=values)
    remove = raw.LookupTableRemoveV2(table_handle=table, keys=keys)
    size = raw.LookupTableSizeV2(table_handle=table)
    found = raw.LookupTableFindV2(table_handle=table, keys=keys, default_value=0.0)
    exported = list(raw.LookupTableExportV2(table_handle=table, Tkeys=tf.int64, Tvalues=tf.float32))
    for _ in range(40):
        k = random.randint(1, 60, random.randint(6)) * random.choice([1, 1, 64, -(2**40)])
        k = np.where(k == -1, 7, k)
        program.run(remove if random.rand() < 0.4 else insert, {keys: k})
        program.run([size] + exported)
        program.run(found, {keys: k})
    words = tf.constant([b"w%d" % i * (i // 7 + 1) for i in range(200)])
    table = dense("", "gone", "string", "int64", initial_num_buckets=4)
    program.run(
        raw.LookupTableInsertV2(table_handle=table, keys=words, values=tf.range(200, dtype="int64"))
    )
    program.run(raw.LookupTableRemoveV2(table_handle=table, keys=words[::3]))
    program.run(
        list(raw.LookupTableExportV2(table_handle=table, Tkeys=tf.string, Tvalues=tf.int64))
    )
    rows = tf.constant(random.randint(0, 9, [100, 3]) + 1, tf.int64)
    table = dense([0, 0, 0], [0, 0, 1], value_shape=[2], initial_num_buckets=16)
    program.run(
        raw.LookupTableInsertV2(
            table_handle=table, keys=rows, values=tf.cast(rows[:, :2], tf.float32)
        )
    )
    program.run(
        list(raw.LookupTableExportV2(table_handle=table, Tkeys=tf.int64, Tvalues=tf.float32))
    )


def reused_buckets(program):
    table = dense(0, -1, initial_num_buckets=8)
    keys = tf.placeholder(tf.int64)
    values = tf.cast(keys, tf.float32)
    insert = raw.LookupTableInsertV2(table_handle=table, keys=keys, values=values)
    remove = raw.LookupTableRemoveV2(table_handle=table, keys=keys)
    size = raw.LookupTableSizeV2(table_handle=table)
    exported = list(raw.LookupTableExportV2(table_handle=table, Tkeys=tf.int64, Tvalues=tf.float32))
    for step, k in ((insert, [1, 9, 2]), (remove, [1]), (insert, [17]), (remove, [9, 2])):
        program.run(step, {keys: k})
        program.run([size] + exported)
    for i in range(40):  # more keys than buckets, one after the other
        program.run(insert, {keys: [i + 20]})
        program.run(size)
        program.run(remove, {keys: [i + 20]})
        program.run(size)


def imported_buckets(program):
    table = dense(0, -1, initial_num_buckets=16)
    keys, values = tf.placeholder(tf.int64), tf.placeholder(tf.float32)
    imports = raw.LookupTableImportV2(table_handle=table, keys=keys, values=values)
    size = raw.LookupTableSizeV2(table_handle=table)
    found = raw.LookupTableFindV2(
        table_handle=table, keys=tf.constant([4, 1, 2, 9], tf.int64), default_value=-5.0
    )
    for k in ([0, 0, 0, 0], [0, 1, 2, 0, 4, 0, 0, -1]):
        rows = np.reshape(k, [-1, 1])
        program.run(imports, {keys: rows, values: np.arange(len(k)).reshape([-1, 1])})
        program.run(size)
        program.run(found)


def test_old_dense_table(ours):
    """The V1 op has no deleted_key. TensorFlow's kernel fails without one."""
    with tf.Graph().as_default(), tf.device(HERE), tf.Session(ours.target()) as session:
        table = raw_v1(
            "MutableDenseHashTable",
            empty_key="",
            value_dtype=tf.int64,
            value_shape=[],
            initial_num_buckets=8,
            max_load_factor=0.8,
            **NOT_NAMED,
        )
        keys, values = tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)
        session.run(raw_v1("LookupTableInsert", table_handle=table, keys=keys, values=values))
        found = raw_v1(
            "LookupTableFind", table_handle=table, keys=["b", "c"], default_value=values[0]
        )
        size = raw_v1("LookupTableSize", table_handle=table)
        assert [list(x) for x in session.run([found, size[None]])] == [[2, 1], [2]]
        insert = raw_v1("LookupTableInsert", table_handle=table, keys=[""], values=values[:1])
        with pytest.raises(tf.errors.InvalidArgumentError, match="empty_key"):
            session.run(insert)


def test_no_bound_of_buckets(ours):
    """Options with which a table would need more memory than there is."""
    with tf.Graph().as_default(), tf.device(HERE), tf.Session(ours.target()) as session:
        keys, values = tf.constant([1, 2], tf.int64), tf.constant([1.0, 2.0])
        many = dense(0, -1, initial_num_buckets=2**62)
        with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.InvalidArgumentError)):
            session.run(raw.LookupTableSizeV2(table_handle=many))
        sparse = dense(0, -1, initial_num_buckets=8, max_load_factor=1e-30)
        insert = raw.LookupTableInsertV2(table_handle=sparse, keys=keys, values=values)
        with pytest.raises((tf.errors.ResourceExhaustedError, tf.errors.InvalidArgumentError)):
            session.run(insert)


def test_imports_of_other_buckets(ours):
    """Keys that are not where a lookup begins are inserted. TensorFlow does not find them."""
    with tf.Graph().as_default(), tf.device(HERE), tf.Session(ours.target()) as session:
        table = dense(0, -1, initial_num_buckets=16)
        keys, values = tf.placeholder(tf.int64), tf.placeholder(tf.float32)
        imports = raw.LookupTableImportV2(table_handle=table, keys=keys, values=values)
        size = raw.LookupTableSizeV2(table_handle=table)
        for rows in ([5, 1, 2], [4, 3, 2, 1], [7, 0, 0, -1], [9], []):
            k = np.reshape(rows, [-1, 1])
            session.run(imports, {keys: k, values: k * 10.0})
            wanted = [x for x in rows if x > 0]
            assert session.run(size) == len(wanted)
            found = raw.LookupTableFindV2(
                table_handle=table, keys=tf.constant(wanted + [6], tf.int64), default_value=-5.0
            )
            assert list(session.run(found)) == [x * 10.0 for x in wanted] + [-5.0]


# ---- sharing


def shared_tables(program):
    one = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, shared_name="shared")
    init = raw.InitializeTableV2(
        table_handle=one, keys=["a", "b"], values=tf.constant([1, 2], tf.int64)
    )
    with tf.Graph().as_default(), tf.device(HERE), tf.Session(program.target) as session:
        two = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, shared_name="shared")
        found = raw.LookupTableFindV2(
            table_handle=two, keys=["b"], default_value=tf.constant(-1, tf.int64)
        )
        program.run(found, session=session)
        program.run(init)
        program.run(found, session=session)
        for key, value in (("int64", "string"), ("string", "string")):
            other = raw.HashTableV2(key_dtype=key, value_dtype=value, shared_name="shared")
            program.run(other.op, session=session)
        other = raw.MutableHashTableV2(
            key_dtype=tf.string, value_dtype=tf.int64, shared_name="shared"
        )
        program.run(other.op, session=session)
        apart = raw.HashTableV2(
            key_dtype=tf.string, value_dtype=tf.int64, shared_name="shared", container="c"
        )
        program.run(raw.LookupTableSizeV2(table_handle=apart), session=session)
        program.run(
            raw.InitializeTableV2(
                table_handle=apart, keys=["a"], values=tf.constant([1], tf.int64)
            ),
            session=session,
        )
        size = raw.LookupTableSizeV2(table_handle=two)
        program.run([size, raw.LookupTableSizeV2(table_handle=apart)], session=session)
    with tf.Graph().as_default(), tf.device(HERE), tf.Session(program.target) as session:
        for node in ("shared", "shared_2"):
            named = raw.HashTableV2(
                key_dtype=tf.string, value_dtype=tf.int64, use_node_name_sharing=True, name=node
            )
            program.run(raw.LookupTableSizeV2(table_handle=named), session=session)
        unnamed = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, name="shared")
        program.run(raw.LookupTableSizeV2(table_handle=unnamed), session=session)
    for bad in ({"shared_name": "_x"}, {"container": "_x"}):
        program.run(raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64, **bad).op)


def reset(program):
    table = raw.MutableHashTableV2(
        key_dtype=tf.string, value_dtype=tf.int64, shared_name="kept", container="box"
    )
    values = tf.constant([1], tf.int64)
    insert = raw.LookupTableInsertV2(table_handle=table, keys=["a"], values=values)
    size = raw.LookupTableSizeV2(table_handle=table)
    program.run(insert)
    program.run(size)
    tf.Session.reset(program.target, ["box"])
    with tf.Session(program.target) as session:
        program.run(size, session=session)
        program.run(insert, session=session)
        program.run(size, session=session)
    tf.Session.reset(program.target)
    with tf.Session(program.target) as session:
        program.run(size, session=session)


def table_on_another_task(program):
    with tf.device(THERE):
        table = lookup_ops.index_table_from_tensor(["a", "b", "c"], num_oov_buckets=2)
        mutable = raw.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.string)
    ids = table.lookup(tf.constant(["c", "a", "x", "yy"]))
    program.run(ids)
    program.run(tf.tables_initializer())
    with tf.device(HERE):
        near = tf.identity(ids) * 10
    program.run([ids, near, table.size()])
    program.run(
        raw.LookupTableInsertV2(
            table_handle=mutable, keys=tf.constant([1], tf.int64), values=["one"]
        )
    )
    program.run(
        raw.LookupTableFindV2(
            table_handle=mutable, keys=tf.constant([1, 2], tf.int64), default_value="none"
        )
    )


def many_at_once(program):
    """Readers and writers of a table: each value belongs to its key."""
    table = raw.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.int64)
    keys = tf.placeholder(tf.int64)
    insert = raw.LookupTableInsertV2(table_handle=table, keys=keys, values=keys * 3)
    remove = raw.LookupTableRemoveV2(table_handle=table, keys=keys)
    found = raw.LookupTableFindV2(
        table_handle=table, keys=keys, default_value=tf.constant(-1, tf.int64)
    )
    problems = []

    def work(seed):
        random = np.random.RandomState(seed)
        for _ in range(40):
            k = random.randint(0, 500, 100)
            program.session.run([insert, remove, found][random.randint(3)], {keys: k})
            values = program.session.run(found, {keys: k})
            if not np.all((values == -1) | (values == k * 3)):
                problems.append((k, values))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    program.results.append(len(problems))


# ---- the Python classes


def python_tables(program):
    keys, values = tf.constant(["a", "b", "c"]), tf.constant([1, 2, 3], tf.int64)
    initializer = tf.lookup.KeyValueTensorInitializer(keys, values)
    tables = [tf.lookup.StaticHashTable(initializer, -1)]
    initializer = tf.lookup.KeyValueTensorInitializer(keys, tf.range(3, dtype=tf.int64))
    tables += [tf.lookup.StaticVocabularyTable(initializer, num_oov_buckets=3)]
    file = write("words", b"a\nb\nc\n")
    tables += [tf.lookup.StaticHashTable(lookup_ops.TextFileIdTableInitializer(file), -1)]
    tables += [lookup_ops.index_table_from_file(file, num_oov_buckets=2)]
    tables += [lookup_ops.index_table_from_file(file, default_value=7, vocab_size=2)]
    tables += [lookup_ops.index_table_from_tensor(["b", "q"], default_value=-3)]
    query = tf.constant([["a", "x"], ["c", "yyy"]])
    sparse = tf.SparseTensor([[0, 0], [1, 2]], tf.constant(["b", "zz"]), [2, 3])
    found = [table.lookup(query) for table in tables]
    found += [table.lookup(sparse).values for table in tables]
    found += [table.size() for table in tables]
    back = [
        lookup_ops.index_to_string_table_from_tensor(["b", "q"], default_value="?"),
        lookup_ops.index_to_string_table_from_file(file, default_value="?"),
    ]
    found += [table.lookup(tf.constant([0, 2, 1], tf.int64)) for table in back]
    program.run(found[0])
    program.run(tf.tables_initializer())
    program.run(found)
    rows = write("rows", b"a 1 x\nb 2 y\n")
    initializer = lookup_ops.TextFileInitializer(rows, tf.string, 0, tf.int64, 1, delimiter=" ")
    table = tf.lookup.StaticHashTable(initializer, -1)
    numbers = lookup_ops.index_table_from_tensor(
        tf.constant([30, 10], tf.int64), num_oov_buckets=1, dtype=tf.int64
    )
    program.run(tf.tables_initializer())
    program.run([table.lookup(query), numbers.lookup(tf.constant([10, 30, 5], tf.int64))])
    program.run_sorted(list(table.export()))


def dense_table_in_a_checkpoint(program):
    def make():
        return tf.lookup.experimental.DenseHashTable(
            tf.string, tf.int64, default_value=-1, empty_key="", deleted_key="#", name="dense",
            initial_num_buckets=8, checkpoint=True,
        )  # fmt: skip

    table = make()
    keys = tf.constant(["a", "b", "c", "d"])
    program.run(table.insert(keys, tf.constant([1, 2, 3, 4], tf.int64)))
    program.run(table.remove(tf.constant(["c"])))
    found = table.lookup(keys)
    program.run(found)
    program.run([table.size()] + list(table.export()))
    path = os.path.join(FOLDER, "checkpoint%d" % len(os.listdir(FOLDER)))
    saver = tf.train.Saver(tf.get_collection("saveable_objects"))
    program.results.append(os.path.basename(saver.save(program.session, path)) != "")
    program.run(table.insert(keys, tf.constant([9, 9, 9, 9], tf.int64)))
    program.run(found)
    saver.restore(program.session, path)
    program.run(found)
    program.run([table.size()] + list(table.export()))


def mutable_table_in_a_checkpoint(program):
    table = lookup_ops.MutableHashTable(tf.string, tf.int64, -1, name="mutable", checkpoint=True)
    keys = tf.constant(["a", "b", "c", "d"])
    program.run(table.insert(keys, tf.constant([1, 2, 3, 4], tf.int64)))
    found = table.lookup(keys)
    path = os.path.join(FOLDER, "checkpoint%d" % len(os.listdir(FOLDER)))
    saver = tf.train.Saver(tf.get_collection("saveable_objects"))
    saver.save(program.session, path)
    program.run(table.remove(keys[:2]))
    program.run(found)
    saver.restore(program.session, path)
    program.run(found)


def saved_table(target, path, restored):
    """The values of four keys, from a checkpoint that this session writes or restores."""
    with tf.Graph().as_default(), tf.device(HERE), tf.Session(target) as session:
        table = tf.lookup.experimental.DenseHashTable(
            tf.string,
            tf.int64,
            default_value=-1,
            empty_key="",
            deleted_key="#",
            initial_num_buckets=8,
        )
        keys = tf.constant(["a", "b", "c", "d"])
        saver = tf.train.Saver(tf.get_collection("saveable_objects"))
        if restored:
            saver.restore(session, path)
        else:
            session.run(table.insert(keys, tf.constant([1, 2, 3, 4], tf.int64)))
            session.run(table.remove(tf.constant(["c"])))
            saver.save(session, path)
        return list(session.run(table.lookup(keys)))


def test_each_restores_the_checkpoint_of_the_other(ours, theirs):
    for i, (writer, reader) in enumerate([(ours, theirs), (theirs, ours)]):
        path = os.path.join(FOLDER, "both%d" % i)
        assert saved_table(writer.target(), path, restored=False) == [1, 2, -1, 4]
        assert saved_table(reader.target(), path, restored=True) == [1, 2, -1, 4]


def variants_as_values(program):
    lists = raw.EmptyTensorList(
        element_shape=tf.constant(-1), max_num_elements=tf.constant(-1), element_dtype=tf.float32
    )
    lists = raw.TensorListPushBack(input_handle=lists, tensor=tf.constant(3.0))
    tables = [
        raw.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.variant),
        dense(0, -1, value="variant", initial_num_buckets=8),
    ]
    for table in tables:
        keys = tf.constant([5, 6], tf.int64)
        program.run(
            raw.LookupTableInsertV2(table_handle=table, keys=keys, values=tf.stack([lists, lists]))
        )
        found = raw.LookupTableFindV2(table_handle=table, keys=keys[1], default_value=lists)
        program.run(raw.TensorListLength(input_handle=found))


def anonymous_tables(program):
    keys, values = tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)
    types = {"key_dtype": tf.string, "value_dtype": tf.int64}
    table = raw.AnonymousHashTable(**types)
    init = raw.InitializeTableV2(table_handle=table, keys=keys, values=values)
    with tf.control_dependencies([init]):
        found = raw.LookupTableFindV2(table_handle=table, keys=keys, default_value=values[0])
        size = raw.LookupTableSizeV2(table_handle=table)
    program.run([found, size])
    program.run([found, size])
    program.run(raw.LookupTableSizeV2(table_handle=table))
    for table, rows in (
        (raw.AnonymousMutableHashTable(**types), values),
        (
            raw.AnonymousMutableHashTableOfTensors(value_shape=[2], **types),
            tf.stack([values, values], 1),
        ),
        (
            raw.AnonymousMutableDenseHashTable(empty_key="", deleted_key="x", value_dtype=tf.int64),
            values,
        ),
    ):
        insert = raw.LookupTableInsertV2(table_handle=table, keys=keys, values=rows)
        with tf.control_dependencies([insert]):
            found = raw.LookupTableFindV2(table_handle=table, keys=keys, default_value=rows[0])
        program.run(found)
        program.run(raw.LookupTableSizeV2(table_handle=table))


CASES = [
    mutable_pairs,
    shapes_of_changes,
    shapes_of_values,
    mistakes_with_dense_tables,
    buckets_of_dense_tables,
    reused_buckets,
    imported_buckets,
    shared_tables,
    reset,
    table_on_another_task,
    many_at_once,
    python_tables,
    dense_table_in_a_checkpoint,
    mutable_table_in_a_checkpoint,
    variants_as_values,
]
if LATER:
    CASES += [anonymous_tables]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_case(ours, theirs, case):
    compare(case, ours, theirs)
