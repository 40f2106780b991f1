# SPDX-License-Identifier: Apache-2.0
"""Cases of the ops that parse SequenceExamples."""

from interop.cases.case import INVALID, Case, of
from interop.cases.parsing_cases import (
    features,
    field,
    floats,
    ints,
    rows,
    sequence,
    strings,
    texts,
)

STRING = ("string",)


class Wanted:
    """Features to parse: dense (key, dtype, shape, default), sparse (key, dtype), ragged (key,
    dtype, dtype of splits), and those of the lists, whose dense ones have no default."""

    def __init__(self, dense=(), sparse=(), ragged=(), lists=(), list_sparse=(), list_ragged=(),
                 missing=()):  # fmt: skip
        self.dense, self.sparse, self.ragged = dense, sparse, ragged
        self.lists, self.list_sparse, self.list_ragged = lists, list_sparse, list_ragged
        self.missing = missing

    def attrs(self):
        return {
            "context_sparse_types": [f[1] for f in self.sparse],
            "context_dense_shapes": [f[2] for f in self.dense],
            "feature_list_dense_types": [f[1] for f in self.lists],
            "feature_list_sparse_types": [f[1] for f in self.list_sparse],
            "feature_list_dense_shapes": [f[2] for f in self.lists],
        }

    def counts(self):
        return {
            "Ncontext_sparse": len(self.sparse),
            "Nfeature_list_sparse": len(self.list_sparse),
            "Nfeature_list_dense": len(self.lists),
        }

    def defaults(self):
        return [of(f[3], f[1]) for f in self.dense]


def keys(wanted):
    return [f[0] for f in wanted]


def parse_single(serialized, want, name=b"n", **more):
    return Case(
        "ParseSingleSequenceExample",
        texts(serialized),
        texts(list(want.missing)),
        [texts(f[0]) for f in want.sparse],
        [texts(f[0]) for f in want.dense],
        [texts(f[0]) for f in want.list_sparse],
        [texts(f[0]) for f in want.lists],
        want.defaults(),
        texts(name),
        types=STRING,
        **want.attrs(),
        **more,
    )


def parse_sequence(serialized, want, names=(), **more):
    return Case(
        "ParseSequenceExample",
        texts(serialized),
        texts(list(names)),
        want.defaults(),
        types=STRING,
        feature_list_dense_missing_assumed_empty=list(want.missing),
        context_sparse_keys=keys(want.sparse),
        context_dense_keys=keys(want.dense),
        feature_list_sparse_keys=keys(want.list_sparse),
        feature_list_dense_keys=keys(want.lists),
        Ncontext_dense=len(want.dense),
        **want.counts(),
        **want.attrs(),
        **more,
    )


def parse_v2(serialized, want, names=(), **more):
    return Case(
        "ParseSequenceExampleV2",
        texts(serialized),
        texts(list(names)),
        texts(keys(want.sparse)),
        texts(keys(want.dense)),
        texts(keys(want.ragged)),
        texts(keys(want.list_sparse)),
        texts(keys(want.lists)),
        texts(keys(want.list_ragged)),
        of([f[0] in want.missing for f in want.lists], "bool"),
        want.defaults(),
        types=STRING,
        context_ragged_value_types=[f[1] for f in want.ragged],
        context_ragged_split_types=[f[2] for f in want.ragged],
        feature_list_ragged_value_types=[f[1] for f in want.list_ragged],
        feature_list_ragged_split_types=[f[2] for f in want.list_ragged],
        **want.counts(),
        **want.attrs(),
        **more,
    )


FULL = sequence(
    features(f=floats(1, 2), i=ints(7), s=strings(b"a", b"b\x00")),
    lf=rows(floats(1, 2), floats(3, 4, packed=False), floats(5, 6)),
    li=rows(ints(1), ints(-2)),
    ls=rows(strings(b"x", b"y"), strings(), strings(b"z" * 40)),
    unused=rows(floats(1)),
)
SHORT = sequence(
    features(f=floats(3, 4), i=ints(-8, packed=False)), lf=rows(floats(9, 9)), li=b"", ls=rows(b"")
)
BARE = sequence(features(f=floats(0, 0)), lf=b"", li=b"")

DENSE = (("f", "float32", [2], []),)
DEFAULTS = (("f", "float32", [2], [5, 6]), ("i", "int64", [], 4))
SPARSE = (("i", "int64"), ("s", "string"), ("none", "float32"))
LISTS = (("lf", "float32", [2]), ("li", "int64", []))
LIST_SPARSE = (("ls", "string"), ("nothing", "int64"))


def sequences():
    batches = ([FULL], [FULL, SHORT, BARE], [BARE, FULL], [SHORT] * 20)
    for want in (
        Wanted(),
        Wanted(DENSE, SPARSE, (), LISTS, LIST_SPARSE),
        Wanted(DEFAULTS, SPARSE[1:]),
        Wanted(lists=(("lf", "float32", [1, 2]), ("absent", "string", [3])), missing=["absent"]),
        Wanted(sparse=(("f", "float32"),), list_sparse=(("lf", "float32"), ("li", "int64"))),
    ):
        for batch in batches:
            yield parse_single(batch[0], want)
            yield parse_sequence(batch, want)
            yield parse_sequence(batch[0], want, like=2)  # 1.15 takes batches only
            yield parse_v2(batch, want, [b"n"] * len(batch))
            yield parse_v2(batch[0], want)
    ragged = Wanted(
        ragged=(("s", "string", "int32"), ("none", "float32", "int64")),
        lists=LISTS,
        list_ragged=(("ls", "string", "int32"), ("nothing", "int64", "int64")),
    )
    for batch in batches:
        yield parse_v2(batch, ragged)
    for want in (Wanted((), SPARSE, (), (), LIST_SPARSE), Wanted(lists=LISTS)):
        yield parse_sequence([], want)
        yield parse_v2([], want)
    empty_rows = sequence(ls=rows(b"", strings(), strings(b"q"), b""))
    yield parse_single(empty_rows, Wanted(list_sparse=LIST_SPARSE))
    yield parse_v2([empty_rows], Wanted(list_sparse=LIST_SPARSE))
    yield parse_v2([empty_rows], Wanted(list_ragged=(("ls", "string", "int64"),)))
    merged = Wanted(DENSE, (), (), LISTS)
    yield parse_single(SHORT + b"\x18\x05" + FULL, merged)  # messages merge, unknown fields pass
    yield parse_sequence([SHORT + b"\x18\x05" + FULL], merged)


def mistakes():
    """(serialized, wanted) that every op refuses."""
    yield b"\x0b", Wanted(DENSE)
    yield FULL[:-3], Wanted(lists=(("lf", "float32", [2]),))
    yield sequence(b""), Wanted(DENSE)
    yield sequence(features(f=floats(1))), Wanted(DENSE)
    yield sequence(features(f=ints(1, 2))), Wanted(DENSE)
    yield sequence(features(i=floats(1))), Wanted(sparse=SPARSE)
    yield sequence(b""), Wanted(lists=LISTS[:1])
    yield sequence(lf=rows(floats(1))), Wanted(lists=LISTS[:1])
    yield sequence(lf=rows(floats(1, 2, 3), floats(4))), Wanted(lists=LISTS[:1])
    yield sequence(lf=rows(ints(1, 2))), Wanted(lists=LISTS[:1])
    yield sequence(lf=rows(b"")), Wanted(lists=LISTS[:1])
    yield sequence(ls=rows(ints(1))), Wanted(list_sparse=LIST_SPARSE)
    yield sequence(ls=field(2, b"abc")[:-2]), Wanted(list_sparse=LIST_SPARSE)
    yield FULL, Wanted((("f", "float32", [2], [1]),))


def sequence_mistakes():
    for serialized, want in mistakes():
        yield parse_single(serialized, want, error=INVALID)
        yield parse_sequence([serialized], want, error=INVALID)
        yield parse_v2([serialized], want, error=INVALID)
        yield parse_v2(serialized, want, error=INVALID)
    bare = sequence(b"")
    text = "Name: n, Context feature 'f' is required but could not be found."
    yield parse_single(bare, Wanted(DENSE), error=INVALID, text=text)
    text = "Name: n, Feature list 'lf' is required but could not be found.  Did you mean"
    yield parse_single(bare, Wanted(lists=LISTS[:1]), error=INVALID, text=text)
    yield parse_sequence([bare], Wanted(lists=LISTS[:1]), [b"n"], error=INVALID, text=text)
    yield parse_single([FULL], Wanted(DENSE), error=INVALID)
    yield parse_sequence([[FULL]], Wanted(DENSE), error=INVALID)
    yield parse_sequence([FULL], Wanted(DENSE), [b"a", b"b"], error=INVALID)


FAMILIES = (sequences, sequence_mistakes)
