# SPDX-License-Identifier: Apache-2.0
"""Paths with a scheme: every op and function that takes a path refuses a file system that nobody
registered, names it and makes no file of that name; file:// is this machine."""

import os
import re
import sqlite3
import subprocess
import sys
import tempfile
from types import SimpleNamespace

import harness
import numpy as np
import sluice as sl
from sluice import _sluice, gfile, raw_ops, train
from sluice.data.functions import ElementFunction
from sluice.tensorflow.process import ServerProcess

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from interop.tools.lmdb_files import lmdb_folder  # noqa: E402

FOREIGN = "s3://bucket/x"
REFUSED = "File system scheme 's3' not implemented (file: 's3://bucket"


def writer_of(logdir):
    writer = raw_ops.SummaryWriter()
    return raw_ops.CreateSummaryFileWriter(
        writer=writer, logdir=logdir, max_queue=1, flush_millis=1, filename_suffix=".x"
    )


def candidates(path):
    return raw_ops.FixedUnigramCandidateSampler(
        true_classes=sl.constant([[1]], sl.int64), num_true=1, num_sampled=1, unique=False,
        range_max=3, vocab_file=path,
    )[0]  # fmt: skip


def remapping(new, old):
    return raw_ops.GenerateVocabRemapping(
        new_vocab_file=new, old_vocab_file=old, new_vocab_offset=0, num_new_vocab=2
    )[0]


def records(path):
    return raw_ops.RecordInput(file_pattern=path, batch_size=1, file_parallelism=1)


def matrix(path):
    return raw_ops.LoadAndRemapMatrix(
        ckpt_path=path, old_tensor_name="m", row_remapping=[0, 1], col_remapping=[],
        initializing_values=[], num_rows=2, num_cols=2,
    )  # fmt: skip


def first_of(make, **attrs):
    """The first element of a data set of strings."""
    return first_in(make(buffer_size=0, **attrs))


def first_in(made, components=1):
    shape = {"output_types": [sl.string] * components, "output_shapes": [[]] * components}
    taken = raw_ops.TakeDataset(input_dataset=made, count=1, **shape)
    return raw_ops.DatasetToSingleElement(dataset=taken, **shape)[0]


def pieces(path, make, **attrs):
    return first_of(make, filenames=path, header_bytes=0, record_bytes=2, footer_bytes=0, **attrs)


def lines_of_pipe(state, folder):
    return first_in(
        raw_ops.SluicePipeModeDataset(
            channel="pipe", record_format="TextLine", state_dir=state, pipe_dir=folder,
            num_shards=1, shard_index=0, timeout=5,
        )
    )  # fmt: skip


def csv(path, make, **attrs):
    return first_in(
        make(
            filenames=path, compression_type="", buffer_size=9, header=False, field_delim=",",
            use_quote_delim=True, na_value="", select_cols=np.zeros([0], np.int64),
            record_defaults=[""], output_shapes=[[]], **attrs,
        )
    )  # fmt: skip


def entries(path, make):
    return first_in(
        make(filenames=path, output_types=[sl.string] * 2, output_shapes=[[]] * 2), components=2
    )


def rows(path, make):
    return first_in(
        make(
            driver_name="sqlite", data_source_name=path, query="select 'a'",
            output_types=[sl.string], output_shapes=[[]],
        )
    )  # fmt: skip


def one_string():
    return raw_ops.TensorDataset(components=["a"], output_shapes=[[]])


def records_of_strings(path, write):
    return write(input_dataset=one_string(), filename=path, compression_type="")


def cached(path, make, **attrs):
    return first_in(
        make(
            input_dataset=one_string(), filename=path,
            output_types=[sl.string], output_shapes=[[]], **attrs,
        )
    )  # fmt: skip


def snapshot(path):
    return first_in(
        raw_ops.SnapshotDataset(
            input_dataset=one_string(), path=path, output_types=[sl.string], output_shapes=[[]]
        )
    )


def function(body, dtype):
    """The name of a function of a scalar, in the default graph."""
    return ElementFunction(body, "the test", sl.TensorSpec([], dtype)).name


def saved(path, make, **attrs):
    return make(
        input_dataset=one_string(), path=path, shard_func_other_args=[],
        shard_func=function(lambda _: sl.constant(0, sl.int64), sl.string), **attrs,
    )  # fmt: skip


def saved_and_read(path):
    return first_in(
        saved(path, raw_ops.SaveDatasetV2, output_types=[sl.string], output_shapes=[[]])
    )


def first_set(sets):
    return raw_ops.DatasetToSingleElement(
        dataset=sets, output_types=[sl.variant], output_shapes=[[]]
    )[0]


def loaded(path):
    return first_in(
        raw_ops.LoadDataset(
            path=path, reader_func_other_args=[], reader_func=function(first_set, sl.variant),
            output_types=[sl.string], output_shapes=[[]],
        )
    )  # fmt: skip


def table(path, make, fill):
    handle = make(key_dtype=sl.string, value_dtype=sl.int64)
    return fill(table_handle=handle, filename=path, key_index=-2, value_index=-1)


ONES = np.ones([2, 2], np.float32)
# Op -> the nodes whose runs take the path; files are a folder of those that the path can be. Each
# op of the registry that takes a path is here: test_every_op_is_tested.
OPS = {
    "ReadFile": lambda at: [sl.read_file(at("text"))],
    "WriteFile": lambda at: [sl.write_file(at("new/text"), "text")],
    "MatchingFiles": lambda at: [sl.matching_files(at("te*"))],
    "SaveV2": lambda at: [
        raw_ops.SaveV2(
            prefix=at("bundle"), tensor_names=["m"], shape_and_slices=[""], tensors=[ONES]
        )
    ],
    "RestoreV2": lambda at: [
        raw_ops.RestoreV2(
            prefix=at("bundle"), tensor_names=["m"], shape_and_slices=[""], dtypes=[sl.float32]
        )[0]
    ],
    "LoadAndRemapMatrix": lambda at: [matrix(at("bundle"))],
    "MergeV2Checkpoints": lambda at: [
        raw_ops.MergeV2Checkpoints(
            checkpoint_prefixes=[at("bundle")], destination_prefix=at("merged"),
            delete_old_dirs=False,
        )
    ],  # fmt: skip
    "Save": lambda at: [raw_ops.Save(filename=at("v1"), tensor_names=["m"], data=[ONES])],
    "SaveSlices": lambda at: [
        raw_ops.SaveSlices(
            filename=at("v1"), tensor_names=["m"], shapes_and_slices=[""], data=[ONES]
        )
    ],
    "Restore": lambda at: [raw_ops.Restore(file_pattern=at("v1"), tensor_name="m", dt=sl.float32)],
    "RestoreSlice": lambda at: [
        raw_ops.RestoreSlice(
            file_pattern=at("v1"), tensor_name="m", shape_and_slice="", dt=sl.float32
        )
    ],
    "GenerateVocabRemapping": lambda at: [
        remapping(at("text"), "text"), remapping("text", at("text"))
    ],
    "FixedUnigramCandidateSampler": lambda at: [candidates(at("vocabulary"))],
    "ImmutableConst": lambda at: [
        raw_ops.ImmutableConst(dtype=sl.uint8, shape=[2], memory_region_name=at("text"))
    ],
    "RecordInput": lambda at: [records(at("rec*"))],
    "CreateSummaryFileWriter": lambda at: [writer_of(at("logs"))],
    "TextLineDataset": lambda at: [
        first_of(raw_ops.TextLineDataset, filenames=at("text"), compression_type="")
    ],
    "TFRecordDataset": lambda at: [
        first_of(raw_ops.TFRecordDataset, filenames=at("one.tfrecord"), compression_type="")
    ],
    "TFRecordDatasetV2": lambda at: [
        first_of(
            raw_ops.TFRecordDatasetV2, filenames=at("one.tfrecord"), compression_type="",
            byte_offsets=np.zeros([0], np.int64),
        )
    ],
    "FixedLengthRecordDataset": lambda at: [pieces(at("text"), raw_ops.FixedLengthRecordDataset)],
    "FixedLengthRecordDatasetV2": lambda at: [
        pieces(at("text"), raw_ops.FixedLengthRecordDatasetV2, compression_type="")
    ],
    "CSVDataset": lambda at: [csv(at("text"), raw_ops.CSVDataset)],
    "CSVDatasetV2": lambda at: [
        csv(at("text"), raw_ops.CSVDatasetV2, exclude_cols=np.zeros([0], np.int64))
    ],
    "ExperimentalCSVDataset": lambda at: [csv(at("text"), raw_ops.ExperimentalCSVDataset)],
    "MatchingFilesDataset": lambda at: [first_in(raw_ops.MatchingFilesDataset(patterns=at("te*")))],
    "ExperimentalMatchingFilesDataset": lambda at: [
        first_in(raw_ops.ExperimentalMatchingFilesDataset(patterns=at("te*")))
    ],
    "SluicePipeModeDataset": lambda at: [lines_of_pipe(at("epochs"), at("."))],
    "LMDBDataset": lambda at: [entries(at("lmdb"), raw_ops.LMDBDataset)],
    "ExperimentalLMDBDataset": lambda at: [entries(at("lmdb"), raw_ops.ExperimentalLMDBDataset)],
    "SqlDataset": lambda at: [rows(at("database"), raw_ops.SqlDataset)],
    "ExperimentalSqlDataset": lambda at: [rows(at("database"), raw_ops.ExperimentalSqlDataset)],
    "CacheDataset": lambda at: [cached(at("cache"), raw_ops.CacheDataset)],
    "CacheDatasetV2": lambda at: [
        cached(at("cache"), raw_ops.CacheDatasetV2, cache=raw_ops.AnonymousMemoryCache()[0])
    ],
    "SnapshotDataset": lambda at: [snapshot(at("snapshots"))],
    "SaveDataset": lambda at: [saved(at("saved"), raw_ops.SaveDataset)],
    "SaveDatasetV2": lambda at: [saved_and_read(at("saved_too"))],
    "LoadDataset": lambda at: [loaded(at("saved"))],
    "DatasetToTFRecord": lambda at: [records_of_strings(at("made"), raw_ops.DatasetToTFRecord)],
    "ExperimentalDatasetToTFRecord": lambda at: [
        records_of_strings(at("made"), raw_ops.ExperimentalDatasetToTFRecord)
    ],
    "InitializeTableFromTextFile": lambda at: [
        table(at("text"), raw_ops.HashTable, raw_ops.InitializeTableFromTextFile)
    ],
    "InitializeTableFromTextFileV2": lambda at: [
        table(at("text"), raw_ops.HashTableV2, raw_ops.InitializeTableFromTextFileV2)
    ],
    "DecodeProtoV2": lambda at: [
        raw_ops.DecodeProtoV2(
            bytes=[b"\x08\x07"], message_type="M", field_names=["i"], output_types=[sl.int32],
            descriptor_source=at("types"),
        )[0]
    ],
    "EncodeProto": lambda at: [
        raw_ops.EncodeProto(
            sizes=[[1]], values=[[[7]]], field_names=["i"], message_type="M",
            descriptor_source=at("types"),
        )
    ],
    "PrintV2": lambda at: [raw_ops.PrintV2(input="line", output_stream="file://" + at("printed"))],
}  # fmt: skip
READERS = {
    "WholeFileReader": (sl.WholeFileReader, "text"),
    "TextLineReader": (sl.TextLineReader, "text"),
    "FixedLengthRecordReader": (lambda: sl.FixedLengthRecordReader(2), "text"),
    "TFRecordReader": (sl.TFRecordReader, "records"),
    "LMDBReader": (sl.LMDBReader, "lmdb"),
}
# Ops whose argument has such a name and is not a path; CacheDataset takes none yet; only old graphs
# hold Skipgram; SnapshotDatasetV2 takes its path as SnapshotDataset, SnapshotDatasetReader as
# LoadDataset.
NO_PATHS = set(
    "RegexFullMatch RegexReplace StaticRegexFullMatch StaticRegexReplace TensorSliceDataset "
    "SnapshotDatasetReader SnapshotDatasetV2 "
    "CTCBeamSearchDecoder NegTrain Skipgram SetStatsAggregatorDataset "
    "ExperimentalSetStatsAggregatorDataset BoostedTreesCreateQuantileStreamResource "
    "BoostedTreesFlushQuantileSummaries IsBoostedTreesQuantileStreamResourceInitialized "
    "BoostedTreesQuantileStreamResourceAddSummaries BoostedTreesQuantileStreamResourceDeserialize "
    "BoostedTreesQuantileStreamResourceFlush "
    "BoostedTreesQuantileStreamResourceGetBucketBoundaries".split()
)
PATH_NAMES = re.compile(
    "file|path|prefix|pattern|logdir|stream|memory_region|directory|descriptor_source|data_source|_dir$"
    "|(^|_)vocab(_|$)"
)


class InFolder:
    """A folder of files, which is the working directory; nothing named after a scheme may appear
    in it."""

    def __enter__(self):
        self.before, self.folder = os.getcwd(), tempfile.TemporaryDirectory()
        os.chdir(self.folder.name)
        with open("text", "w") as file:
            file.write("a\nb\n")
        with open("pipe_0", "w") as file:
            file.write("line\n")
        with open("vocabulary", "w") as file:
            file.write("a,1\nb,2\nc,3\n")
        with open("one.tfrecord", "wb") as file:  # "record"
            file.write(bytes.fromhex("06000000000000007369d5377265636f726405de2bfc"))
        lmdb_folder("lmdb", [(b"key", b"value")])
        sqlite3.connect("database").close()
        with open("types", "wb") as file:  # descriptors of a message M with an int32 field i
            file.write(b'\n\x13\n\x01f"\x0e\n\x01M\x12\t\n\x01i\x18\x01 \x01(\x05')
        return self.folder.name

    def __exit__(self, *_):
        strange = [name for name in os.listdir(".") if ":" in name]
        os.chdir(self.before)
        self.folder.cleanup()
        assert not strange, strange


def run(build, session=None):
    """Runs each node that `build` gives in a graph of its own, on this process or a server."""
    with sl.Graph().as_default():
        nodes = build()
        with sl.Session(session) as session:
            return [session.run(node) for node in nodes]


def refused(function, where):
    error = harness.raises(sl.errors.UnimplementedError, function)
    assert REFUSED in str(error), (where, str(error))


def test_every_op_is_tested():
    command = [os.path.join(os.environ["SLUICE_BUILD"], "sluice-server"), "--list-ops"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    with_kernel = {line.split("\t")[0] for line in lines if "CPU" in line}
    taking = set()
    for op in _sluice.ops():
        names = [str(i["name"] if isinstance(i, dict) else i[0]) for i in op["inputs"]]
        names += [attr["name"] for attr in op["attrs"]]
        if op["name"] in with_kernel and any(PATH_NAMES.search(name) for name in names):
            taking.add(op["name"])
    assert taking - NO_PATHS == set(OPS), taking ^ (set(OPS) | NO_PATHS)


def test_every_op_refuses_another_file_system():
    def refuse_all(target):
        for op, build in OPS.items():
            refused(lambda build=build: run(lambda: build(foreign), target), op)
        for name, (reader, _) in READERS.items():
            refused(lambda reader=reader: run(lambda: [read(reader, FOREIGN)], target), name)

    server = sl.train.Server({"local": ["localhost:0"]})
    with InFolder():
        refuse_all("")
        refuse_all(server.target)
    server.stop()


def test_every_op_obeys_the_file_policy():
    with InFolder() as folder, tempfile.TemporaryDirectory() as root:
        at = lambda name: f"{folder}/{name}"  # noqa: E731
        for option in ("--file_access=none", f"--file_root={root}"):
            cluster = '--cluster={"local": ["localhost:0"]}'
            server = ServerProcess([cluster, "--job=local", option])
            for op, build in OPS.items():
                error = harness.raises(
                    sl.errors.OpError,
                    lambda build=build, server=server: run(lambda: build(at), server.target),
                )
                assert option.partition("=")[0] in str(error), (op, str(error))
            for name, (reader, file) in READERS.items():
                error = harness.raises(
                    sl.errors.OpError,
                    lambda reader=reader, file=file, server=server: run(
                        lambda: [read(reader, at(file))], server.target
                    ),
                )
                assert option.partition("=")[0] in str(error), (name, str(error))
            server.stop(1.0)
        made = {"new", "bundle.index", "v1", "merged.index", "logs", "epochs", "cache", "made",
                "snapshots", "printed", "saved", "saved_too"}  # fmt: skip
        assert not made & set(os.listdir(folder)), os.listdir(folder)


def foreign(name):
    return f"s3://bucket/{name}"


def read(reader, path):
    queue = sl.FIFOQueue(1, [sl.string], shapes=[[]])
    with sl.control_dependencies([queue.enqueue(path)]):
        return reader().read(queue)[1]


def test_every_op_takes_file_urls():
    with InFolder() as folder:
        at = lambda name: f"file://{folder}/{name}"  # noqa: E731
        for op, build in OPS.items():
            plain = (lambda name: f"{folder}/{name}") if op == "PrintV2" else at
            if op == "RecordInput":
                take = lambda build=build: run(lambda: build(at))  # noqa: E731
                error = harness.raises(sl.errors.OpError, take)
                assert not isinstance(error, sl.errors.UnimplementedError), error
                continue
            values = run(lambda build=build, plain=plain: build(plain))
            if op == "ReadFile":
                assert values == [b"a\nb\n"], values
            if op == "MatchingFiles":
                assert list(values[0]) == [at("text").encode()], values
            if op in ("RestoreV2", "Restore", "RestoreSlice", "LoadAndRemapMatrix"):
                np.testing.assert_array_equal(values[0], ONES)
            if op == "LoadAndRemapMatrix":  # the next one moves it
                assert os.path.exists("bundle.index")
        assert os.path.exists("new/text") and os.path.exists("merged.index")
        assert os.path.exists("printed") and os.listdir("logs")
        for name in ("WholeFileReader", "TextLineReader", "FixedLengthRecordReader"):
            reader, file = READERS[name]
            assert run(lambda reader=reader, file=file: [read(reader, at(file))])[0][:1] == b"a"


def functions(at, session):
    """Client function -> a call with a path; `at` gives the path of a name."""
    definition = session.graph.as_graph_def()
    return {
        "gfile.Exists": lambda: gfile.Exists(at("text")),
        "gfile.IsDirectory": lambda: gfile.IsDirectory(at("d")),
        "gfile.ListDirectory": lambda: gfile.ListDirectory(at(".")),
        "gfile.Glob": lambda: gfile.Glob(at("te*")),
        "gfile.MkDir": lambda: gfile.MkDir(at("d")),
        "gfile.MakeDirs": lambda: gfile.MakeDirs(at("d/e")),
        "gfile.Walk": lambda: list(gfile.Walk(at("d"))),
        "gfile.Stat": lambda: gfile.Stat(at("text")),
        "gfile.Copy": lambda: gfile.Copy(at("text"), "copy", overwrite=True),
        "gfile.Copy to": lambda: gfile.Copy("text", at("copy"), overwrite=True),
        "gfile.Rename": lambda: gfile.Rename(at("copy"), "renamed", overwrite=True),
        "gfile.Rename to": lambda: gfile.Rename("text", at("copy"), overwrite=True),
        "gfile.Rename back": lambda: gfile.Rename(at("copy"), at("text"), overwrite=True),
        "gfile.GFile r": lambda: gfile.GFile(at("text")).read(),
        "gfile.GFile r+": lambda: gfile.GFile(at("text"), "r+").read(),
        "gfile.GFile rb": lambda: gfile.GFile(at("text"), "rb").readline(),
        "gfile.GFile size": lambda: gfile.GFile(at("text")).size(),
        "gfile.GFile w": lambda: gfile.GFile(at("w"), "w").write("x"),
        "gfile.GFile a": lambda: gfile.GFile(at("w"), "a").write("x"),
        "gfile.Remove": lambda: gfile.Remove(at("vocabulary")),
        "gfile.DeleteRecursively": lambda: gfile.DeleteRecursively(at("d")),
        "io.gfile.exists": lambda: sl.io.gfile.exists(at("text")),
        "summary.FileWriter": lambda: sl.summary.FileWriter(at("logs")).close(),
        "summary.FileWriterCache": lambda: sl.summary.FileWriterCache.get(at("logs")),
        "Saver.save": lambda: train.Saver().save(session, at("model")),
        "Saver.save, state only": lambda: train.update_checkpoint_state(at("."), at("model")),
        "Saver.restore": lambda: train.Saver().restore(session, at("model")),
        "Saver.export_meta_graph": lambda: train.Saver().export_meta_graph(at("meta")),
        "train.latest_checkpoint": lambda: train.latest_checkpoint(at(".")),
        "train.get_checkpoint_state": lambda: train.get_checkpoint_state(at(".")),
        "train.checkpoint_exists": lambda: train.checkpoint_exists(at("model")),
        "train.get_checkpoint_mtimes": lambda: train.get_checkpoint_mtimes([at("model")]),
        "train.remove_checkpoint": lambda: train.remove_checkpoint(at("model")),
        "train.write_graph": lambda: train.write_graph(definition, at("g"), "graph.pb", False),
        "train.export_meta_graph": lambda: train.export_meta_graph(at("meta")),
        "train.import_meta_graph": lambda: imported(at("meta")),
        "train.SessionManager": alone(
            lambda: train.SessionManager().prepare_session(
                "", saver=train.Saver(), checkpoint_dir=at("c"),
                init_op=sl.get_default_graph().init,
            )
        ),
        "train.MonitoredTrainingSession": alone(
            lambda: train.MonitoredTrainingSession(checkpoint_dir=at("c")).close()
        ),
        "train.CheckpointSaverHook": alone(
            lambda: train.CheckpointSaverHook(at("c"), save_steps=1, saver=train.Saver()).begin()
        ),
        "train.SummarySaverHook": alone(
            lambda: train.SummarySaverHook(
                save_steps=1, output_dir=at("logs"), summary_op=sl.get_default_graph().text
            ).begin()
        ),
        "train.ProfilerHook": alone(
            lambda: train.ProfilerHook(save_steps=1, output_dir=at("profile")).begin()
        ),
        "train.Supervisor": alone(lambda: supervised(at("c"))),
    }  # fmt: skip


def alone(call):
    """The call in a graph of its own, which it may finalize."""
    return lambda: with_model(lambda session: call())


def supervised(logdir):
    supervisor = train.Supervisor(logdir=logdir)
    supervisor.prepare_or_wait_for_session()
    supervisor.stop()


def imported(path):
    with sl.Graph().as_default():
        return train.import_meta_graph(path)


def with_model(function):
    """Calls function(session) with a graph of a variable and a global step."""
    graph = sl.Graph()
    with graph.as_default():
        sl.Variable(3.0, name="v")
        train.get_or_create_global_step()
        graph.init, graph.text = sl.global_variables_initializer(), sl.constant("")
        with sl.Session() as session:
            session.run(graph.init)
            function(session)


def test_every_function_refuses_another_file_system():
    def all_refuse(session):
        for name, call in functions(foreign, session).items():
            refused(call, name)

    with InFolder():
        with_model(all_refuse)


def test_every_function_takes_file_urls():
    done = SimpleNamespace(names=[])

    def all_work(session):
        at = lambda name: f"file://{os.getcwd()}/{name}"  # noqa: E731
        for name, call in functions(at, session).items():
            try:
                call()
            except Exception as error:
                raise AssertionError(name) from error
            done.names.append(name)
        assert train.latest_checkpoint(at(".")) is None  # train.remove_checkpoint was called
        train.Saver().save(session, at("last"), global_step=7)
        folder = f"file://{os.getcwd()}"
        assert train.latest_checkpoint(folder) == at("last-7"), train.latest_checkpoint(folder)
        assert train.latest_checkpoint(".") == "./last-7", train.latest_checkpoint(".")

    with InFolder():
        with_model(all_work)
    assert len(done.names) > 35


def test_a_file_that_is_written_and_read():
    with InFolder():
        with gfile.GFile("f", "w") as file:
            file.write("one\r\ntwo\n")
            assert file.tell() == 9
            harness.raises(sl.errors.PermissionDeniedError, file.read, '"w"')
        with gfile.GFile("f", "ab") as file:
            file.write(b"\xff" * 600_000)
            assert file.tell() == 600_009
        with gfile.GFile("f", "rb") as file:
            harness.raises(sl.errors.PermissionDeniedError, lambda: file.write(b"x"), '"rb"')
            assert file.readline() == b"one\r\n" and file.size() == 600_009
            file.seek(-1, 2)
            assert file.read() == b"\xff" and file.read(1) == b""
            file.seek(position=5)
            assert file.read(3) == b"two" and file.tell() == 8
        assert gfile.Stat("f").length == gfile.Stat("f").st_size == 600_009
        assert abs(gfile.Stat("f").mtime_nsec - os.stat("f").st_mtime_ns) == 0
        os.symlink(".", "loop")
        assert [row[0] for row in gfile.Walk(".")] == [".", "./lmdb"]
        assert gfile.Glob(b"f") == [b"f"] and gfile.Glob(["f", "te*"]) == ["f", "text"]
