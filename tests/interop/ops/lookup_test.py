# SPDX-License-Identifier: Apache-2.0
"""Hash tables that get their content once, in TensorFlow and on our server."""

import os

import numpy as np
import pytest

from interop.tools.tables import (
    FOLDER,
    LATER,
    NOT_NAMED,
    compare,
    pairs,
    raw,
    raw_v1,
    some,
    tf,
    write,
)

JOBS = {"worker": 2}
PAIRS = [
    ("int32", "float64 float32 int32 string"),
    ("int64", "float64 float32 int32 int64 string"),
    ("string", "bool float64 float32 int32 int64 string"),
]


def all_pairs(program):
    for key, value in pairs(PAIRS):
        keys, values = some(key, 5), some(value, 5, 100)
        table = raw.HashTableV2(key_dtype=key, value_dtype=value)
        default = values[0]
        found = raw.LookupTableFindV2(
            table_handle=table, keys=some(key, 3, 3), default_value=default
        )
        size = raw.LookupTableSizeV2(table_handle=table)
        exported = raw.LookupTableExportV2(table_handle=table, Tkeys=key, Tvalues=value)
        program.run(size)
        program.run(found)
        program.run_sorted(exported)
        init = raw.InitializeTableV2(table_handle=table, keys=keys, values=values)
        program.run(init)
        program.run([found, size])
        program.run_sorted(exported)


def initialised_twice(program):
    table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    keys, values = tf.placeholder(tf.string), tf.placeholder(tf.int64)
    init = raw.InitializeTableV2(table_handle=table, keys=keys, values=values)
    found = raw.LookupTableFindV2(
        table_handle=table, keys=[["a"], ["b"]], default_value=tf.constant(-1, tf.int64)
    )
    for k, v in (
        (["a", "b"], [1, 2]),
        (["a", "b"], [1, 2]),
        (["b", "a"], [2, 1]),
        (["a", "c"], [1, 2]),
        (["a", "b"], [1, 5]),
        (["a"], [1]),
        (["a", "b", "c"], [1, 2, 3]),
        (["a", "b", "a"], [1, 2, 1]),
    ):
        program.run(init, {keys: k, values: v})
        program.run(found)


def odd_initial_values(program):
    keys, values = tf.placeholder(tf.string), tf.placeholder(tf.float32)
    nan = float("nan")
    later = [(["a"], [nan]), (["a", "a"], [nan, nan])] if LATER else []  # 1.15 compares with itself
    for k, v in [
        ([], []),
        (["a", "a"], [1, 1]),
        (["a", "b", "a"], [1, 2, 3]),
        (["a", "b"], [1]),
        ("a", 1),
        ([["a"]], [1]),
        (["a"], [[1]]),
    ] + later:
        table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.float32)
        init = raw.InitializeTableV2(table_handle=table, keys=keys, values=values)
        found = raw.LookupTableFindV2(table_handle=table, keys=["a", "c"], default_value=-1.0)
        program.run(init, {keys: k, values: v})
        program.run(found)
        program.run(raw.LookupTableSizeV2(table_handle=table))
        program.run(raw.InitializeTableV2(table_handle=table, keys=["a"], values=[7.0]))
        program.run(found)


def conflicting_types_in_a_key(program):
    for value, v in (("float32", 1.5), ("float64", 0.1), ("string", "x"), ("bool", True)):
        table = raw.HashTableV2(key_dtype=tf.string, value_dtype=value)
        other = {"string": "y", "bool": False}.get(value, 1e10)
        values = tf.constant([v, other], value)
        program.run(raw.InitializeTableV2(table_handle=table, keys=["a", "a"], values=values))
    table = raw.HashTableV2(key_dtype=tf.int64, value_dtype=tf.int64)
    keys, values = tf.constant([5, 5], tf.int64), tf.constant([1, -2], tf.int64)
    program.run(raw.InitializeTableV2(table_handle=table, keys=keys, values=values))


def not_for_this_table(program):
    table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    keys, values = tf.constant(["a"]), tf.constant([1], tf.int64)
    program.run(raw.LookupTableInsertV2(table_handle=table, keys=keys, values=values))
    program.run(raw.LookupTableImportV2(table_handle=table, keys=keys, values=values))
    program.run(raw.LookupTableRemoveV2(table_handle=table, keys=keys))
    mutable = raw.MutableHashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    program.run(raw.InitializeTableV2(table_handle=mutable, keys=keys, values=values))
    file = write("one line", b"a\n")
    program.run(
        raw.InitializeTableFromTextFileV2(
            table_handle=mutable, filename=file, key_index=-2, value_index=-1
        )
    )
    queue = tf.FIFOQueue(1, tf.int64).queue_ref
    program.run(raw.LookupTableSizeV2(table_handle=queue))
    program.run(raw.QueueSizeV2(handle=table))


def uses_with_wrong_types(table):
    """Of a table from strings to integers."""
    one, default = tf.constant([1], tf.int64), tf.constant(1, tf.int64)
    return [
        lambda: raw.LookupTableFindV2(table_handle=table, keys=one, default_value=default),
        lambda: raw.LookupTableFindV2(table_handle=table, keys=["a"], default_value=1.5),
        lambda: raw.InitializeTableV2(table_handle=table, keys=one, values=one),
        lambda: raw.InitializeTableV2(table_handle=table, keys=["a"], values=["b"]),
        lambda: raw.LookupTableInsertV2(table_handle=table, keys=one, values=one),
        lambda: raw.LookupTableInsertV2(table_handle=table, keys=["a"], values=["b"]),
        lambda: raw.LookupTableImportV2(table_handle=table, keys=one, values=one),
        lambda: raw.LookupTableRemoveV2(table_handle=table, keys=one),
    ]


def wrong_types(program):
    for op in (raw.HashTableV2, raw.MutableHashTableV2):
        for make in uses_with_wrong_types(op(key_dtype=tf.string, value_dtype=tf.int64)):
            program.build_and_run(make)


def shapes_of_lookups(program):
    keys, default = tf.placeholder(tf.int64), tf.placeholder(tf.float32)
    table = raw.HashTableV2(key_dtype=tf.int64, value_dtype=tf.float32)
    program.run(
        raw.InitializeTableV2(
            table_handle=table, keys=tf.constant([1, 2], tf.int64), values=[10.0, 20.0]
        )
    )
    mutable = raw.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.float32)
    program.run(
        raw.LookupTableInsertV2(
            table_handle=mutable, keys=tf.constant([1, 2], tf.int64), values=[10.0, 20.0]
        )
    )
    for handle in (table, mutable):
        found = raw.LookupTableFindV2(table_handle=handle, keys=keys, default_value=default)
        program.results.append(str(found.shape))
        for k, d in (
            (1, -1.0),
            ([], -1.0),
            ([[1, 3], [2, 1]], -1.0),
            (np.zeros([2, 0, 3], np.int64), -1.0),
            ([1], [-1.0, -2.0]),
            ([1, 3, 4], [[-1.0]]),
            ([1], []),
        ):
            program.run(found, {keys: k, default: d})


def defaults_for_each_key(program):
    """TensorFlow 2 takes a default value for each key."""
    keys, default = tf.constant([1, 3, 4], tf.int64), tf.placeholder(tf.float32)
    tables = [
        raw.HashTableV2(key_dtype=tf.int64, value_dtype=tf.float32),
        raw.MutableHashTableV2(key_dtype=tf.int64, value_dtype=tf.float32),
    ]
    k, v = tf.constant([1], tf.int64), [1.0]
    program.run(raw.InitializeTableV2(table_handle=tables[0], keys=k, values=v))
    program.run(raw.LookupTableInsertV2(table_handle=tables[1], keys=k, values=v))
    for table in tables:
        found = raw.LookupTableFindV2(table_handle=table, keys=keys, default_value=default)
        for d in ([-1.0, -2.0, -3.0], [-1.0], [-1.0, -2.0], [[-1.0, -2.0, -3.0]]):
            program.run(found, {default: d})
    of_tensors = raw.MutableHashTableOfTensorsV2(
        key_dtype=tf.int64, value_dtype=tf.float32, value_shape=[2]
    )
    program.run(raw.LookupTableInsertV2(table_handle=of_tensors, keys=k, values=[[1.0, 2.0]]))
    found = raw.LookupTableFindV2(table_handle=of_tensors, keys=keys, default_value=default)
    for d in ([-1.0, -2.0], [[-1.0, -2.0]] * 3, -np.arange(6.0).reshape(3, 2), [[-1.0, -2.0]]):
        program.run(found, {default: d})


def old_handles(program):
    """Handles that are references to two strings."""
    names = dict(NOT_NAMED)
    table = raw_v1("HashTable", key_dtype=tf.string, value_dtype=tf.int64, **names)
    keys, values = tf.constant(["a", "b"]), tf.constant([1, 2], tf.int64)
    found = raw_v1("LookupTableFind", table_handle=table, keys=keys, default_value=values[0])
    size = raw_v1("LookupTableSize", table_handle=table)
    program.run([found, size])
    program.run(raw_v1("InitializeTable", table_handle=table, keys=keys, values=values))
    program.run([found, size])
    program.run_sorted(
        list(raw_v1("LookupTableExport", table_handle=table, Tkeys=tf.string, Tvalues=tf.int64))
    )
    file = write("old", b"x\ny\n")
    table = raw_v1("HashTable", key_dtype=tf.string, value_dtype=tf.int64, **names)
    program.run(
        raw_v1(
            "InitializeTableFromTextFile",
            table_handle=table,
            filename=file,
            key_index=-2,
            value_index=-1,
            vocab_size=-1,
            delimiter="\t",
            **({"offset": 0} if LATER else {}),
        )
    )
    program.run_sorted(
        list(raw_v1("LookupTableExport", table_handle=table, Tkeys=tf.string, Tvalues=tf.int64))
    )
    types = {"key_dtype": tf.string, "value_dtype": tf.int64}
    for table, row in (
        (raw_v1("MutableHashTable", **dict(types, **names)), values),
        (
            raw_v1("MutableHashTableOfTensors", value_shape=[2], **dict(types, **names)),
            tf.stack([values, values], 1),
        ),
    ):
        program.run(raw_v1("LookupTableInsert", table_handle=table, keys=keys, values=row))
        program.run(raw_v1("LookupTableFind", table_handle=table, keys=["a"], default_value=row[1]))
        exported = raw_v1(
            "LookupTableExport", table_handle=table, Tkeys=tf.string, Tvalues=tf.int64
        )
        program.run_sorted(list(exported))
        program.run(raw_v1("LookupTableImport", table_handle=table, keys=keys[1:], values=row[1:]))
        program.run_sorted(list(exported))
        program.run(raw_v1("LookupTableSize", table_handle=table))


def wrong_old_handles(program):
    for value in (["a"], ["", "no such table"], "x", ["a", "b", "c"]):
        variable = raw_v1(
            "VariableV2",
            shape=tf.TensorShape(None),
            dtype=tf.string,
            container="",
            shared_name="",
        )
        program.run(tf.group(tf.assign(variable, value, validate_shape=False)))
        program.run(raw_v1("LookupTableSize", table_handle=variable))


# ---- text files


def from_file(
    program, contents, key="string", value="int64", key_index=-2, value_index=-1, sizes=(-1,), **kw
):
    file = write("vocabulary", contents) if contents is not None else kw.pop("file")
    for size in sizes:
        table = raw.HashTableV2(key_dtype=key, value_dtype=value)
        init = raw.InitializeTableFromTextFileV2(
            table_handle=table,
            filename=file,
            key_index=key_index,
            value_index=value_index,
            vocab_size=size,
            **kw,
        )
        program.run(init)
        program.run_sorted(
            list(raw.LookupTableExportV2(table_handle=table, Tkeys=key, Tvalues=value))
        )
        program.run(init)


def text_files(program):
    three = b"brain\nsalad\nsurgery\n"
    from_file(program, three, sizes=(-1, 1, 2, 3, 4, 0))
    from_file(program, three[:-1], sizes=(-1, 2, 3, 4))
    from_file(program, three, key="int64", value="string", key_index=-1, value_index=-2)
    from_file(program, b"one\r\ntwo\r\n three \n")
    from_file(program, b"a\nb\na\n")
    from_file(program, b"a\n\nb\n")
    from_file(program, b"", sizes=(-1, 0, 1))
    from_file(program, b"\n")
    from_file(program, b"\xff\0x\n")
    from_file(program, b"5\n7\n", key="int64", value="int64")
    from_file(program, b"a" * 700000 + b"\nb")


def columns_of_text_files(program):
    rows = b"0\tzero\t0.5\n1\tone\t1.5\n2\ttwo\t-2e3\n"
    for key, k in (("int32", 0), ("int64", 0), ("string", 1), ("string", 0)):
        for value, v in (
            ("float32", 2),
            ("float64", 2),
            ("int32", 0),
            ("string", 1),
            ("string", 2),
        ):
            from_file(program, rows, key, value, k, v)
    from_file(program, rows, "string", "string", 0, 0)
    from_file(program, rows, "string", "int64", 0, -1)
    from_file(program, rows, "string", "string", 1, -2)
    from_file(program, rows, "string", "int64", 1, 3)
    from_file(program, rows, "string", "int64", 1, 1)
    from_file(program, b"a,1\nb,2,3\nc\n", "string", "int64", 0, 1, delimiter=",")
    from_file(program, b"a,1\nb,2,3\n", "string", "int64", 0, 1, delimiter=",")
    from_file(program, b"a,,1\n,b,2\n", "string", "int64", 0, 2, delimiter=",")
    from_file(program, b"a::1\n", "string", "int64", 0, 1, delimiter="::")
    from_file(program, b"a 1\n", "string", "int64", 0, 1, delimiter="")
    from_file(program, b"a 1\n", "string", "int64", 0, 1, delimiter=" ")
    if LATER:
        from_file(program, rows, "string", "int64", 1, 0, offset=10)
        from_file(program, rows, "string", "int64", 1, -1, offset=-3)
        from_file(program, rows, "int64", "string", -1, 1, offset=5)


def numbers_in_text_files(program):
    later = ["+7"] if LATER else []
    for text in later + ["7", " 7 ", "-7", "0x10", "7.0", "1e3", "99999999999", "9" * 20, "", "x7"]:
        for value in ("int32", "int64", "float32", "float64", "bool", "string"):
            from_file(program, b"k\t" + text.encode() + b"\n", "string", value, 0, 1)
    later = ["-Infinity", "0x1p3", "nan"] if LATER else []
    for text in later + ["inf", "1e400", "1e-400", "1.", ".5", "1,5", "1e"]:
        for value in ("float32", "float64"):
            from_file(program, b"k\t" + text.encode() + b"\n", "string", value, 0, 1)


def mistakes_with_text_files(program):
    from_file(program, None, file=os.path.join(FOLDER, "no such file"))
    from_file(program, None, file=FOLDER)
    from_file(program, None, file="")
    from_file(program, None, file="nosuch://file")
    files = tf.placeholder_with_default(["a", "b"], None)
    from_file(program, None, file=files)
    for key, value, k, v in (
        ("string", "int64", -1, -2),
        ("int32", "string", -1, -2),
        ("string", "int32", -2, -1),
        ("string", "string", -2, -1),
        ("string", "float32", -2, -2),
        ("string", "bool", -2, -2),
        ("int64", "float32", -2, -1),
        ("int64", "string", -1, -2),
    ):
        from_file(program, b"1\n2\n", key, value, k, v)


def one_file_after_another(program):
    table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    keys = tf.constant(["a", "b", "c"])
    found = raw.LookupTableFindV2(
        table_handle=table, keys=keys, default_value=tf.constant(-1, tf.int64)
    )
    for name, text in (("2", b"a\nb\n"), ("other", b"c\n"), ("3", b"a\nb\nc\n"), ("no", b"a\n\n")):
        program.run(
            raw.InitializeTableFromTextFileV2(
                table_handle=table, filename=write(name, text), key_index=-2, value_index=-1
            )
        )
        program.run(found)
    table = raw.HashTableV2(key_dtype=tf.string, value_dtype=tf.int64)
    for text in (b"a\nb\na\n", b"a\nb\n"):
        program.run(
            raw.InitializeTableFromTextFileV2(
                table_handle=table, filename=write("bad", text), key_index=-2, value_index=-1
            )
        )
        program.run(raw.LookupTableSizeV2(table_handle=table))


CASES = [
    all_pairs,
    initialised_twice,
    odd_initial_values,
    conflicting_types_in_a_key,
    not_for_this_table,
    wrong_types,
    shapes_of_lookups,
    old_handles,
    wrong_old_handles,
    text_files,
    columns_of_text_files,
    numbers_in_text_files,
    mistakes_with_text_files,
    one_file_after_another,
]
if LATER:
    CASES += [defaults_for_each_key]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_case(ours, theirs, case):
    compare(case, ours, theirs)
