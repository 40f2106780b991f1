# SPDX-License-Identifier: Apache-2.0
"""Data sets of files on TensorFlow and on our server: CSV, patterns of paths, SQLite, LMDB.

file_pipelines_test.py [-k NAME]
"""

import gzip
import os
import sqlite3
import zlib

import numpy as np
import pytest
import tensorflow

from interop.datasets.raw_pipelines_test import refused_alike
from interop.datasets.reading import read, same
from interop.tools.cluster import Cluster
from interop.tools.lmdb_files import lmdb_folder

tf = tensorflow.compat.v1
data = tf.data.Dataset
experimental = tf.data.experimental

CASES = {}

PLAIN = b"""a,b,c,d
1,2.5,x,-3
2,,"quo""ted, and
broken",4
,1e3,,5
"7","8.5","",9\r
10,1e-2,NA,11
"""
DAMAGED = b"""1,2
3,4"5
6,"7" 8
9
10,11,12
x,13
14,"15
16",17

18,19"""
OPEN = b'1,2\n3,"4\n5,6\n'


def case(build):
    CASES[build.__name__] = build
    return build


@pytest.fixture(scope="module")
def cluster():
    with Cluster({"worker": 1}) as ours:
        yield ours


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    """Gives the path of a file in a folder."""
    folder = tmp_path_factory.mktemp("files")
    for name, content in {"plain": PLAIN, "damaged": DAMAGED, "open": OPEN, "empty": b""}.items():
        (folder / f"{name}.csv").write_bytes(content)
        (folder / f"{name}.csv.gz").write_bytes(gzip.compress(content))
        (folder / f"{name}.csv.zlib").write_bytes(zlib.compress(content))
    (folder / "cut.csv.gz").write_bytes(gzip.compress(PLAIN * 9)[:-20])
    (folder / "large.csv").write_bytes(
        b"".join(b'%d,"%s"\r\n' % (i, b'y""\n,' * 3000) for i in range(12))
    )
    (folder / "folder.csv").mkdir()
    (folder / "folder.csv" / "inner.csv").write_bytes(b"1\n")
    (folder / "a").mkdir()
    for name in ("x1", "x2", "y1"):
        (folder / "a" / name).write_bytes(b"")
    with sqlite3.connect(str(folder / "sqlite")) as database:
        database.execute("create table t (i integer, r real, s text, b blob, x)")
        rows = [
            (1, 1.5, "one", b"\0\1", None),
            (-2, -2.5, "zw\u00f6lf", b"", 70000),
            (300, 1e300, "", None, "12ab"),
            (2**40, 4, None, b"4", 2.9),
        ]
        database.executemany("insert into t values (?, ?, ?, ?, ?)", rows)
    (folder / "short").write_bytes((folder / "sqlite").read_bytes()[:3000])
    noise = bytearray((folder / "sqlite").read_bytes())
    noise[100:4000:7] = b"\xff" * len(noise[100:4000:7])
    (folder / "noise").write_bytes(bytes(noise))
    lmdb_folder(str(folder / "lmdb"), [(b"b", b"2"), (b"a", b"1"), (b"long", b"x" * 20000)])
    return lambda name: str(folder / name)


def csv(files, defaults, **options):
    return experimental.CsvDataset(files, defaults, **options)


INTS = [tf.int32, tf.int32]
MIXED = [[0], np.float32([0.5]), ["none"], tf.int64]


@case
def csv_records(at):
    return csv(at("plain.csv"), MIXED, header=True)


@case
def csv_of_several_files(at):
    return csv([at("plain.csv"), at("plain.csv")], MIXED, header=True, buffer_size=7)


@case
def csv_with_a_missing_value(at):
    return csv(at("plain.csv"), [tf.int32, tf.float64, "", tf.constant([0], tf.int64)], header=True)


@case
def csv_without_a_header(at):
    return csv(at("plain.csv"), [tf.string] * 4)


@case
def csv_of_selected_columns(at):
    return csv(at("plain.csv"), [tf.string, [-1]], header=True, select_cols=[2, 3])


@case
def csv_columns_that_are_missing(at):
    return csv(at("plain.csv"), [tf.string, [-1]], header=True, select_cols=[2, 9])


@case
def csv_with_a_value_for_missing(at):
    return csv(at("plain.csv"), MIXED, header=True, na_value="NA")


@case
def csv_without_quotes(at):
    return csv(at("plain.csv"), [[""], [""]], use_quote_delim=False)


@case
def csv_with_another_delimiter(at):
    return csv(at("plain.csv"), [[""], [""]], field_delim=";", use_quote_delim=False)


@case
def csv_by_gzip(at):
    return csv([at("plain.csv.gz")], MIXED, header=True, compression_type="GZIP")


@case
def csv_by_zlib(at):
    return csv([at("plain.csv.zlib")], MIXED, header=True, compression_type="ZLIB")


@case
def csv_with_errors(at):
    return csv(at("damaged.csv"), INTS)


@case
def csv_with_errors_and_defaults(at):
    return csv(at("damaged.csv"), [[1], ["x"]])


@case
def csv_of_one_column(at):
    return csv(at("damaged.csv"), [tf.string])


@case
def csv_with_an_open_quote(at):
    return csv([at("open.csv"), at("plain.csv")], INTS)


@case
def csv_of_long_fields(at):
    return csv(at("large.csv"), [tf.int64, tf.string])


@case
def csv_of_an_empty_file(at):
    return csv([at("empty.csv"), at("plain.csv")], [tf.string] * 4)


@case
def csv_without_its_header(at):
    return csv([at("empty.csv"), at("plain.csv")], [tf.string] * 4, header=True)


def of(variant, like):
    """A data set of a variant tensor, with the elements of another."""
    from tensorflow.python.data.ops import dataset_ops

    spec = like.element_spec
    made = dataset_ops._VariantDataset(variant, spec)
    return dataset_ops.DatasetV1Adapter(made)


@case
def matching_files(at):
    found = tf.raw_ops.MatchingFilesDataset(patterns=[at("*.csv"), at("a/x?"), at("none*")])
    return of(found, data.from_tensors("")).map(
        lambda path: tf.string_split([path], "/").values[-1]
    )


@case
def matching_files_in_folders(at):
    found = tf.raw_ops.MatchingFilesDataset(patterns=at("[af]*/*[12v]"))
    return of(found, data.from_tensors("")).map(
        lambda path: tf.string_split([path], "/").values[-1]
    )


@case
def no_matching_files(at):
    return of(
        tf.raw_ops.MatchingFilesDataset(patterns=[at("nothing*")]), data.from_tensors("")
    ).take(3)


def sql(at, query, *types, file="sqlite", driver="sqlite"):
    return experimental.SqlDataset(driver, at(file), query, types)


@case
def sql_rows(at):
    return sql(at, "select i, r, s, b, x from t", tf.int64, tf.float64, *[tf.string] * 3)


@case
def sql_integers(at):
    types = (tf.int8, tf.int16, tf.int32, tf.uint8, tf.uint16, tf.bool, tf.int64)
    return sql(at, "select i, i, i, i, i, i, x from t order by i desc", *types)


@case
def sql_of_other_types(at):
    return sql(at, "select s, s, x, b from t", tf.int32, tf.float64, tf.bool, tf.int64)


@case
def sql_without_rows(at):
    return sql(at, "select i from t where i = 7", tf.int32)


@case
def sql_of_another_count_of_columns(at):
    return sql(at, "select i, r from t", tf.int32).take(2)


@case
def sql_with_an_error(at):
    return sql(at, "select nothing from t", tf.int32)


@case
def sql_that_writes(at):
    return sql(at, "delete from t", tf.int32)


@case
def sql_of_another_file(at):
    return sql(at, "select i from t", tf.int32, file="plain.csv")


@case
def sql_of_a_short_file(at):
    return sql(at, "select i from t", tf.int32, file="short")


@case
def sql_of_a_damaged_file(at):
    return sql(at, "select i from t", tf.int32, file="noise")


def lmdb(at):
    strings = data.from_tensors(("", ""))
    made = tf.raw_ops.LMDBDataset(
        filenames=[at("lmdb"), at("lmdb")], output_types=[tf.string] * 2, output_shapes=[[], []]
    )
    return of(made, strings)


if tensorflow.__version__.startswith("1."):
    case(lmdb)


def both(name, cluster, at):
    def build():
        return CASES[name](at)

    build.__name__ = name
    for one_shot in (False, True):
        same(read(build, cluster.target(), one_shot), read(build, "", one_shot))


@pytest.mark.parametrize("name", CASES)
def test_elements_agree(name, cluster, at):
    both(name, cluster, at)


REFUSED = {
    "driver": lambda at: sql(at, "select i from t", tf.int32, driver="oracle"),
    "column_type": lambda at: sql(at, "select i from t", tf.complex64),
    "two_defaults": lambda at: csv(at("plain.csv"), [tf.placeholder_with_default([1, 2], None)]),
    "matrix_default": lambda at: csv(at("plain.csv"), [tf.placeholder_with_default([[1]], None)]),
    "other_count_of_columns": lambda at: csv(at("plain.csv"), INTS, select_cols=[1]),
    "columns_that_fall": lambda at: csv(at("plain.csv"), INTS, select_cols=[1, 0]),
    "negative_columns": lambda at: csv(at("plain.csv"), INTS, select_cols=[-1, 0]),
    "long_delimiter": lambda at: csv(at("plain.csv"), INTS, field_delim="::"),
    "no_buffer": lambda at: csv(at("plain.csv"), INTS, buffer_size=0),
    "compression": lambda at: csv(at("plain.csv"), INTS, compression_type="SNAPPY"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_bad_arguments_are_refused(name, cluster, at):
    refused_alike(name, lambda: REFUSED[name](at), cluster)


def test_a_cut_file_gives_its_beginning(cluster, at):
    def cut_file():
        return csv(at("cut.csv.gz"), [tf.string] * 4, compression_type="GZIP")

    ours = read(cut_file, cluster.target(), one_shot=False)
    assert ours[-1] == "the end"
    same(ours, read(cut_file, "", one_shot=False))


def test_a_missing_database_stays_missing(cluster, at):
    """TensorFlow makes an empty one."""

    def missing_database():
        return sql(at, "select i from t", tf.int32, file="none").take(1)

    assert read(missing_database, cluster.target(), one_shot=False)[0] == "InvalidArgumentError"
    assert not os.path.exists(at("none"))


def test_a_long_query_ends_with_its_iterator(cluster, at):
    numbers = "with recursive n(i) as (select 1 union all select i + 1 from n) select max(i) from n"
    with tf.Graph().as_default(), tf.container("long-query"):
        iterator = tf.data.make_initializable_iterator(sql(at, numbers, tf.int64))
        following = iterator.get_next()
        with tf.Session(cluster.target()) as session:
            session.run(iterator.initializer)
            with pytest.raises(tf.errors.DeadlineExceededError):
                session.run(following, options=tf.RunOptions(timeout_in_ms=200))
            session.run(iterator.initializer)


def written(target, made, path, kind):
    with tf.Graph().as_default(), tf.Session(target) as session:
        session.run(experimental.TFRecordWriter(path, kind).write(made()))


@pytest.mark.parametrize("kind", ("", "GZIP", "ZLIB"))
def test_records_are_written(cluster, at, kind):
    def made():
        return data.range(3000).map(lambda x: tf.strings.as_string(x * x))

    paths = at("ours" + kind), at("theirs" + kind)
    for target, path in zip((cluster.target(), ""), paths):
        written(target, made, path, kind)
    options = tf.io.TFRecordOptions(compression_type=kind)
    ours, theirs = (list(tf.io.tf_record_iterator(path, options)) for path in paths)
    assert ours == theirs and len(ours) == 3000


@pytest.mark.parametrize("value", ([1, 2], [["a", "b"]]))
def test_only_scalar_strings_are_records(cluster, at, value):
    with tf.Graph().as_default(), tf.Session(cluster.target()) as session:
        made = data.from_tensor_slices(value)
        with pytest.raises(tf.errors.InvalidArgumentError, match="records are scalar strings"):
            session.run(
                tf.raw_ops.DatasetToTFRecord(
                    input_dataset=made._variant_tensor, filename=at("no"), compression_type=""
                )
            )
