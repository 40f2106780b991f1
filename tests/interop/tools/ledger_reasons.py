# SPDX-License-Identifier: Apache-2.0
"""The tests of the ledger's cells that no case covers, or the reasons why they are empty."""

import pathlib
import re

TESTS = pathlib.Path(__file__).parent.parent.parent

# (ops, cases, dtypes, script): it names each of these ops, itself or as its Python function.
SCRIPTS = (
    (".*", "gradient", ".*", "python/op_gradients_test.py"),
    (".*", "gradient", ".*", "python/second_order_gradients_test.py"),
    (".*", "gradient", ".*", "python/gradients_test.py"),
    ("TensorList.*|EmptyTensorList", ".*", ".*", "interop/ops/lists_test.py"),
    (".*CSRSparseMatrix.*|SparseMatrix(NNZ|.*MatMul|Transpose|SparseCholesky|OrderingAMD)",
     ".*", ".*",
     "interop/ops/csr_matrices_test.py"),
    ("TensorMap.*|EmptyTensorMap", ".*", ".*", "interop/ops/maps_test.py"),
    ("(Save|Load)Dataset.*|SnapshotDatasetReader|GetElementAtIndex|ComputeBatchSize", ".*", ".*",
     "interop/datasets/saved_sets_test.py"),
    ("(Sharded|Save|Restore|MergeV2).*", ".*", ".*", "interop/training/checkpoint_test.py"),
    ("RaggedTensor(To|From)Variant", ".*", ".*", "interop/programs/corner_programs.py"),
    ("Batch|BatchFunction|Unbatch|UnbatchGrad", ".*", ".*", "interop/ops/waiting_ops_test.py"),
    ("Print", ".*", ".*", "interop/programs/short_loops.py"),
    ("(Resource)?ScatterNd(Max|Min)", ".*", ".*", "interop/ops/aliasing_test.py"),
    ("ParallelBatchDataset", ".*", ".*", "interop/datasets/raw_pipelines_test.py"),
    ("Parallel(Filter|Interleave)Dataset.*|(List|Optimize|Random|TFRecord)Dataset.*|"
     "Initialize.*Dataset|GetOptions|DatasetFingerprint|(Unc|C)ompressElement",
     ".*", ".*", "interop/datasets/later_sets_test.py"),
    (".*Summary.*|ImportEvent|Assert", ".*", ".*", "interop/ops/summary_test.py"),
    (".*CandidateSampler|ComputeAccidentalHits", ".*", ".*", "interop/ops/samplers_test.py"),
    (".*Sparse.*Map|(Des|S)erialize.*Sparse", ".*", ".*", "interop/ops/kept_slices_test.py"),
    (".*Reader.*|ReadFile|WriteFile|MatchingFiles|.*Mutex.*", ".*", ".*",
     "interop/ops/staging_readers_test.py"),
    (".*Reader.*V2", ".*", ".*", "file_kernels/reader_test.cc"),
    ("State(ful|less).*|Random.*|Rng.*|NonDeterministic.*|Param.*", ".*", ".*",
     "interop/ops/random_test.py"),
    ("Eig|(Batch)?(Svd|SelfAdjointEig.*)", ".*", ".*", "interop/ops/linalg_test.py"),
    (".*Variable.*|VarHandleOp|VarIs.*|Destroy.*|CountUpTo|ResourceGather.*|Scatter.*", ".*", ".*",
     "kernels/variables_test.cc"),
    ("Placeholder.*|Const|Identity.*|EnsureShape", ".*", ".*", "interop/servers/sessions_test.py"),
    ("Placeholder|Const|Assign", ".*", ".*", "interop/training/queues_test.py"),
)  # fmt: skip
# (ops, cases, dtypes, why)
REASONS = (
    ("DisableCopyOnRead", ".*", ".*", "2.x's Saver puts it before every read: checkpoint_test.py"),
    (".*", "value", "resource|variant", "no client can feed or fetch it: lists_test.py moves them"),
    (".*", "value", "q.*", "as the integer of its size: no client computes with it"),
    ("Reader.*|WholeFile.*|StatefulStandardNormal|AudioSummary|PlaceholderV2", ".*", ".*",
     "another version of the op, which the same kernel answers, is covered"),
    ("Const|ImmutableConst|Timestamp|MergeV2Checkpoints|PrintV2|CreateSummaryDbWriter", ".*", ".*",
     "no input to vary, or files and outputs: programs_test.py and checkpoint_test.py meet them"),
    ("DeviceIndex", ".*", ".*", "no input to vary: later_types_cases.py varies the attribute"),
    ("ThreadUnsafe.*", ".*", ".*", "it learns of other threads: samplers_test.py says why"),
    ("Multinomial|StatelessMultinomial|.*Uniform.*", "value", "q.*|int8|u?int16", "no kernel"),
    ("Fused.*Grad.*|BatchNormWith.*|CheckNumerics|EnsureShape|IdentityN|PreventGradient|RefIdentity|"
     "SelfAdjointEigV2", "gradient", "", "through the layer above it in tests/python"),
    ("LeakyRelu(Grad)?|.*ScatterNd(Add|Sub)", "value", ".*int.*|bool",
     "TensorFlow registers a kernel that the op's own interface excludes"),
)  # fmt: skip


def _snake(name):
    name = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()
    return re.sub(r"_?v(\d)$", r"_v\1", name)


def _first(table, cell):
    for ops, cases, dtypes, what in table:
        if (
            re.fullmatch(ops, cell.op)
            and re.fullmatch(cases, cell.case)
            and re.fullmatch(dtypes, cell.dtype)
        ):
            yield what


def script(cell):
    """The script that shows it; it must name the op."""
    for path in _first(SCRIPTS, cell):
        if re.search(rf"\b({cell.op}|{_snake(cell.op)})\b", (TESTS / path).read_text()):
            return path
    return ""


def reason(cell):
    return next(_first(REASONS, cell), "")
