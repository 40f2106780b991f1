# SPDX-License-Identifier: Apache-2.0
"""The names of our Python client, and the names, order and defaults of arguments, are TensorFlow's.

Of sluice.raw_ops with every TensorFlow: all ops that both know. Of the rest with 1.15, whose names
they are: what is not there has its reason in sluice/absent.py, which is compared both ways.
"""

import inspect
import json
import subprocess
import sys
import types

import numpy as np

from interop.tools.two_clients import our_command

# The names that programs for clusters use: none of these may be absent.
NEEDED = """
    train.ClusterSpec train.Server train.ClusterDef train.JobDef train.ServerDef distribute.Server
    Session Session.run Session.partial_run Session.partial_run_setup Session.make_callable
    Session.list_devices Session.close Session.reset InteractiveSession ConfigProto GPUOptions
    GraphOptions OptimizerOptions RunOptions RunMetadata Graph Graph.as_graph_def Graph.finalize
    get_default_graph reset_default_graph import_graph_def container get_session_handle
    get_session_tensor delete_session_tensor device DeviceSpec train.replica_device_setter
    colocate_with contrib.training.GreedyLoadBalancingStrategy Variable get_variable
    global_variables_initializer local_variables_initializer variables_initializer
    report_uninitialized_variables assign assign_add assign_sub scatter_update scatter_add
    scatter_sub count_up_to Variable.initialized_value train.create_global_step
    train.get_or_create_global_step train.get_global_step train.global_step
    train.ExponentialMovingAverage trainable_variables global_variables local_variables GraphKeys
    train.GradientDescentOptimizer train.MomentumOptimizer train.AdamOptimizer
    train.AdagradOptimizer train.AdadeltaOptimizer train.RMSPropOptimizer train.FtrlOptimizer
    train.Optimizer.minimize train.Optimizer.apply_gradients train.SyncReplicasOptimizer
    train.MonitoredTrainingSession train.Scaffold train.ChiefSessionCreator
    train.WorkerSessionCreator train.SessionManager train.MonitoredSession
    train.SingularMonitoredSession train.Supervisor train.SessionRunHook train.SessionRunArgs
    train.SessionRunContext train.SessionRunValues train.StopAtStepHook train.CheckpointSaverHook
    train.SummarySaverHook train.StepCounterHook train.LoggingTensorHook train.NanTensorHook
    train.GlobalStepWaiterHook train.FinalOpsHook train.FeedFnHook train.ProfilerHook
    train.CheckpointSaverListener train.SecondOrStepTimer train.Saver train.Saver.save
    train.Saver.restore train.latest_checkpoint train.get_checkpoint_state train.import_meta_graph
    train.export_meta_graph train.write_graph summary.scalar summary.histogram summary.image
    summary.audio summary.text summary.tensor_summary summary.merge summary.merge_all
    summary.FileWriter Summary Event SummaryMetadata FIFOQueue RandomShuffleQueue PaddingFIFOQueue
    PriorityQueue train.QueueRunner train.add_queue_runner train.start_queue_runners
    train.Coordinator train.string_input_producer train.slice_input_producer
    train.range_input_producer train.batch train.batch_join train.shuffle_batch
    train.shuffle_batch_join TFRecordReader TextLineReader WholeFileReader FixedLengthRecordReader
    ConditionalAccumulator SparseConditionalAccumulator contrib.staging.StagingArea cond while_loop
    group control_dependencies no_op identity tuple placeholder placeholder_with_default
    errors.CancelledError errors.UnknownError errors.InvalidArgumentError
    errors.DeadlineExceededError errors.NotFoundError errors.AlreadyExistsError
    errors.PermissionDeniedError errors.ResourceExhaustedError errors.FailedPreconditionError
    errors.AbortedError errors.OutOfRangeError errors.UnimplementedError errors.InternalError
    errors.UnavailableError errors.DataLossError errors.UnauthenticatedError function Defun
""".split()

# Names whose arguments differ, and why.
OTHER_ARGUMENTS = {
    "Graph.create_op": "types of outputs follow from the op; attributes are plain values",
    "Operation": "operations and tensors are made by graphs",
    "Tensor": "operations and tensors are made by graphs",
    "DType": "dtypes are made by the module of theirs",
    "dtypes.DType": "dtypes are made by the module of theirs",
    "io.QueueBase": "queues are made by their own classes",
    "queue.QueueBase": "queues are made by their own classes",
    "QueueBase": "queues are made by their own classes",
    "VariableScope.get_variable": "a graph has one store of variables",
    "sparse.split": "arguments may be given by position, too",
    "sparse_split": "arguments may be given by position, too",
    "estimator.Head.update_metrics": "as those of the heads themselves",
    "RaggedTensor": "ragged tensors are made by methods of the class",
    "distribute.ReplicaContext": "contexts are made by strategies",
    **{
        f"nn.rnn_cell.{name}.build": "TensorFlow's arguments are those of a decorator"
        for name in ("BasicLSTMCell", "BasicRNNCell", "GRUCell", "LSTMCell")
    },
}
# Arguments whose defaults differ, and why.
OTHER_DEFAULTS = {
    "distribute.cluster_resolver.SlurmClusterResolver": "Slurm says how many GPUs there are",
    "errors.UnknownError.error_code": "None is the code of the class",
    "math.reduce_euclidean_norm.keepdims": "None is False",
    "nn.softmax_cross_entropy_with_logits.dim": "with -1, 1.15 refuses axis",
    "layers.flatten.data_format": "None is channels_last",
    "nn.conv2d.dilations": "1 is the same",
    "nn.conv3d.dilations": "1 is the same",
    "nn.conv1d.padding": "1.15 refuses its default",
    "nn.conv2d.padding": "1.15 refuses its default",
    "nn.conv3d.padding": "1.15 refuses its default",
    "nn.depthwise_conv2d_native.dilations": "None is 1",
    "image.sample_distorted_bounding_box": "None is the default of the op",
}
# Methods that classes lack, and why.
OTHER_METHODS = {
    "train.LooperThread.isAlive": "Python 3.9 has no such method of threads",
    "get_config": "initializers are functions",
    "TensorSpec": "a spec says what a function takes, and nothing else",
    "interpolate_pr_auc": "it is a part of the metric's result",
    "next": "files are stepped by Python's next()",
    "seekable": "files are",
    "add_metric": "metrics are of Keras",
    "compute_mask": "masks are of Keras",
    "compute_output_signature": "it is of Keras",
    "get_input_at": "layers keep no record of their calls",
    "get_input_mask_at": "masks are of Keras",
    "get_input_shape_at": "layers keep no record of their calls",
    "get_output_at": "layers keep no record of their calls",
    "get_output_mask_at": "masks are of Keras",
    "get_output_shape_at": "layers keep no record of their calls",
    "distribute.cluster_resolver.GCEClusterResolver": "it is refused, with what to use instead",
    "distribute.cluster_resolver.TPUClusterResolver": "it is refused, with what to use instead",
}
# Ops whose arguments differ, and why.
OTHER_OPS = {
    "ImageProjectiveTransformV2": "as 1.15's contrib has it; fill_mode came with the core's op",
    "BoostedTreesUpdateEnsembleV2": "numbers of its lists follow from none of its inputs",
    "RaggedTensorFromVariant": "Tsplits got its default later",
    "SdcaOptimizer": "TensorFlow's Python has another default than its OpDef",
    "SdcaOptimizerV2": "TensorFlow's Python has another default than its OpDef",
}
NOT_WALKED = (
    "contrib compat python core tools examples raw_ops compiler v1 v2 app flags"
    " tpu lite experimental test pywrap_tensorflow sysconfig"
).split()
WALKED = ("autograph.experimental", "data.experimental")  # all the same


# ---- what both sides say of a name


def look_up(module, name):
    for part in name.split("."):
        module = getattr(module, part)
    return module


# "instance" is that of a decorator.
NOT_GIVEN = ("self", "cls", "instance")


def arguments(function):
    """Pairs: the name of an argument of a callable, and [its default] or None. None where Python
    does not tell."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind == p.VAR_KEYWORD for p in parameters):
        return None
    return [
        (p.name, None if p.default is p.empty else [plain(p.default)])
        for p in parameters
        if p.kind != p.VAR_POSITIONAL and p.name not in NOT_GIVEN and p.name[0] != "_"
    ]


def described(thing):
    """A name's arguments, and of a class those of its methods."""
    if not inspect.isclass(thing):
        return {"": arguments(thing)} if callable(thing) else {}
    found = {"": arguments(thing) if inspect.isfunction(thing.__init__) else None}
    for name in dir(thing):
        if not name.startswith("_") and inspect.isfunction(getattr(thing, name)):
            found[name] = arguments(getattr(thing, name))
    return found


def raw_ops(tf, names):
    """op -> its arguments with their defaults, None for those that must be given."""
    found = {}
    for name in names:
        parameters = inspect.signature(getattr(tf.raw_ops, name)).parameters.values()
        found[name] = {
            p.name: None if p.default is p.empty else [plain(p.default)] for p in parameters
        }
    return found


def plain(default):
    """A default that can be compared: numbers rounded to float32; dtypes by their names."""
    if isinstance(default, (list, tuple)):
        return [plain(v) for v in default]
    if isinstance(default, float):
        return float(np.float32(default))
    if isinstance(default, (bool, int, str)) or default is None:
        return default
    return getattr(default, "name", "a value")


def ours():
    """Answers main()'s question about our client, in its Python."""
    import sluice
    from sluice import absent
    from sluice.ops import raw_ops as functions

    asked = json.load(sys.stdin)
    names = {}
    for name in asked["names"]:
        try:
            names[name] = described(look_up(sluice, name))
        except AttributeError:
            names[name] = absent.reason(name)
    known = [op for op in asked["ops"] if known_op(functions.definition, op)]
    lacking = [name for name in NEEDED if not has(sluice, name)]
    answer = {
        "names": names,
        "absent": list(absent.REASONS),
        "lacking": lacking,
        "ops": raw_ops(sluice, known),
        "inferred": {
            op: sorted(functions.inferred_attrs(functions.definition(op)) - {""}) for op in known
        },
    }
    json.dump(answer, sys.stdout)


def has(module, name):
    try:
        look_up(module, name)
    except AttributeError:
        return False
    return True


def known_op(definition, op):
    try:
        definition(op)
    except KeyError:
        return False
    return True


# ---- the comparison


def public_names(tf):
    """Every public name of TensorFlow, with dots; modules are walked to a depth of three."""
    found = []

    def walk(module, prefix, depth):
        for name in dir(module):
            thing = getattr(module, name, None)
            is_module = isinstance(thing, types.ModuleType) or "Module" in type(thing).__name__
            if name.startswith("_") or thing is None:
                continue
            if not is_module:
                found.append(prefix + name)
            elif depth < 3 and (name not in NOT_WALKED or prefix + name in WALKED):
                walk(thing, f"{prefix}{name}.", depth + 1)

    walk(tf, "", 0)
    return found


def wrong_op(theirs, mine, inferred):
    """The difference in the arguments of an op, or None. TensorFlow's later releases have more
    attributes, with defaults; so may we."""
    lacking = [n for n in theirs if n not in mine]
    extra = [n for n, d in mine.items() if n not in theirs and n not in inferred and d is None]
    for name in theirs:
        if name in lacking:
            continue
        if (theirs[name] is None) != (mine[name] is None):
            return f"{name} must be given here, or there, and not in the other"
        if theirs[name] and theirs[name] != mine[name] and theirs[name] != ["a value"]:
            return f"{name} is {mine[name]}, TensorFlow's {theirs[name]}"
    return f"lacks {lacking}, wants {extra}" if lacking or extra else None


def wrong_arguments(name, theirs, mine):
    """The difference in the arguments of a function, or None; ours may have more, and defaults
    where TensorFlow has none."""
    if theirs is None or mine is None:
        return None
    theirs, mine = dict(theirs), dict(mine)
    lacking = [n for n in theirs if n not in mine]
    if lacking:
        return f"lacks the arguments {lacking}"
    common = [n for n in mine if n in theirs]
    if common != list(theirs):
        return f"has them in the order {list(mine)}, TensorFlow's is {list(theirs)}"
    for argument, default in theirs.items():
        if default and default != mine[argument] and default != ["a value"]:
            if not excused(OTHER_DEFAULTS, f"{name}.{argument}"):
                return f"{argument} is by default {mine[argument]}, TensorFlow's {default}"
    return None


def excused(table, name):
    """Is a name, or what it is part of, in a table of differences?"""
    parts = name.split(".")
    return any(".".join(parts[:n]) in table for n in range(1, len(parts) + 1))


def compare_names(tf, answer, report):
    checked = 0
    for name, mine in answer["names"].items():
        checked += 1
        if mine is None:
            report(name, "is not there, and has no reason in sluice/absent.py")
        if not isinstance(mine, dict):
            continue
        if name in answer["absent"]:
            report(name, "is there, and sluice/absent.py says why it is not")
        for method, theirs in described(look_up(tf, name)).items():
            full = f"{name}.{method}".rstrip(".")
            if method not in mine:
                known = excused(OTHER_METHODS, full) or method in OTHER_METHODS
                if mine and not known and full not in answer["absent"]:
                    report(full, "is not there")
            elif not excused(OTHER_ARGUMENTS, full):
                wrong = wrong_arguments(full, theirs, mine[method])
                if wrong:
                    report(full, wrong)
    for name in answer["absent"]:
        if not name.endswith("*") and not has(tf, name):
            report(name, "is in sluice/absent.py, and TensorFlow has no such name")
    return checked


def main():
    if sys.argv[1:] == ["--ours"]:
        ours()
        return
    import tensorflow

    tf = tensorflow.compat.v1
    ops = [op for op in dir(tensorflow.raw_ops) if op[0].isupper()]
    names = public_names(tensorflow) if tensorflow.__version__.startswith("1.") else []
    command, env = our_command(__file__, "--ours")
    asked = json.dumps({"names": names, "ops": ops})
    said = subprocess.run(
        command, input=asked.encode(), env=env, stdout=subprocess.PIPE, check=True, timeout=100
    )
    answer = json.loads(said.stdout.decode())
    wrongs = []

    def report(name, text):
        wrongs.append(name)
        print(f"FAILED {name}: {text}")

    for name in answer["lacking"]:
        report(name, "must be there")
    for op, theirs in raw_ops(tf, answer["ops"]).items():
        wrong = wrong_op(theirs, answer["ops"][op], answer["inferred"][op])
        if wrong and op not in OTHER_OPS:
            report(f"raw_ops.{op}", wrong)
    checked = len(answer["ops"]) + len(NEEDED)
    if names:
        checked += compare_names(tensorflow, answer, report)
    print(f"{checked - len(set(wrongs))} passed, {len(wrongs)} failed")
    sys.exit(bool(wrongs))


if __name__ == "__main__":
    main()
