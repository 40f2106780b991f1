# SPDX-License-Identifier: Apache-2.0
"""Which public modules have the names of a module of TensorFlow's sources."""

# The start of a module's path -> the public modules, in order; "" is the package itself. The
# longest start counts.
_PLACES = {
    "autograph": "autograph autograph.experimental ", "client": " ", "client.device_lib": "config",
    "compat": "compat ", "data": "data ", "data.experimental": "data.experimental data ",
    "debug": "", "eager": " ",
    "distribute": "distribute distribute.experimental contrib.distribute ",
    "distribute.cluster_resolver": "distribute.cluster_resolver",
    "eager.context": " config.experimental", "eager.test": "test ",
    "estimator": "estimator estimator.export estimator.inputs estimator.experimental "
    "contrib.estimator ",
    "estimator.keras": "keras.estimator estimator ", "feature_column": "feature_column",
    "framework": " ", "framework.config": "config config.experimental config.optimizer "
    "config.threading", "framework.dtypes": "dtypes ", "framework.errors": "errors ",
    "framework.graph_io": "train ", "framework.graph_util": "graph_util ",
    "framework.sparse_tensor": " sparse", "framework.test_util": "test ", "keras": "keras",
    "layers": "layers keras.layers ", "lib.io": "io gfile python_io ", "ops": " math nn linalg",
    "pywrap_tensorflow": " ", "ops.data_flow_ops": " contrib.staging",
    "ops.distributions": "distributions ", "ops.image_ops": "image",
    "ops.init_ops": " initializers keras.initializers", "ops.io_ops": "io ",
    "ops.linalg": "linalg ", "ops.linalg_ops": "linalg ",
    "ops.lookup_ops": "lookup contrib.lookup ", "ops.losses": "losses ", "ops.metrics": "metrics",
    "ops.nn": "nn ", "ops.embedding_ops": "nn ", "ops.candidate_sampling_ops": "nn ",
    "ops.ctc_ops": "nn ", "ops.parsing_ops": "io ", "ops.ragged": "ragged ",
    "ops.random_ops": " random", "ops.rnn": "nn nn.rnn_cell ", "ops.rnn_cell": "nn.rnn_cell nn ",
    "ops.sets": "sets", "ops.signal": "signal ", "ops.sparse_ops": " sparse",
    "ops.string_ops": " strings", "ops.summary_ops": "summary ", "platform": "logging ",
    "platform.app": "app ", "platform.flags": "flags ", "platform.gfile": "gfile ",
    "platform.googletest": "test ", "platform.resource_loader": "resource_loader ",
    "platform.test": "test ",
    "saved_model": "saved_model saved_model.builder saved_model.loader saved_model.main_op "
    "saved_model.signature_def_utils saved_model.utils estimator.export ",
    "summary": "summary train ", "tf2": " ", "tools": "graph_util ", "tpu": "estimator.tpu",
    "training": "train ", "training.distribute": "distribute ",
    "training.distribution_strategy_context": "distribute ",
    "training.experimental": "train.experimental train ", "util": " nest", "util.compat": "compat",
    "util.nest": "nest",
}  # fmt: skip
# Modules that have the name of a public function, or that programs read as attributes of folders.
MODULES = frozenset(
    """
    data.experimental.ops.cardinality data.experimental.ops.get_single_element
    data.experimental.ops.unique framework.device framework.function ops.confusion_matrix
    ops.custom_gradient ops.gradients ops.map_fn ops.variable_scope
    keras.layers.advanced_activations keras.layers.convolutional keras.layers.core
    keras.layers.embeddings keras.layers.local keras.layers.merge keras.layers.noise
    keras.layers.normalization keras.layers.pooling keras.layers.recurrent keras.layers.wrappers
    """.split()
)
_OF_KERAS = (
    "layers", "models", "utils", "backend", "initializers", "losses", "metrics", "callbacks",
    "optimizers", "optimizers.schedules", "",
)  # fmt: skip


# The folders of TensorFlow's sources, in which modules are.
FOLDERS = frozenset(
    """
    autograph autograph.core autograph.impl autograph.lang autograph.operators autograph.pyct client
    compat data data.experimental data.experimental.ops data.ops data.util distribute
    distribute.cluster_resolver eager estimator estimator.canned estimator.export estimator.head
    estimator.hooks estimator.inputs estimator.tpu feature_column framework keras
    keras.applications keras.datasets keras.distribute keras.engine
    keras.layers keras.mixed_precision keras.mixed_precision.experimental keras.optimizer_v2
    keras.premade keras.preprocessing keras.saving keras.saving.saved_model keras.utils
    keras.wrappers layers lib lib.io ops ops.distributions ops.linalg ops.losses ops.parallel_for
    ops.ragged ops.signal platform saved_model saved_model.model_utils summary summary.writer tools
    tpu tpu.ops training training.experimental training.saving training.tracking util util.protobuf
    """.split()
)


def known(path):
    """Whether there is a module at a path such as "ops.array_ops".

    Modules of TensorFlow are in folders and have lower-case names: what else a program imports is
    a function, a class, a constant or a private name, and it must see an ImportError if it is not
    there.
    """
    folder, _, name = path.rpartition(".")
    if name.startswith("_") or name != name.lower() or (folder and folder not in FOLDERS):
        return False
    return path.partition(".")[0] in _PLACES or f"{path}.".startswith("lib.")


def _found(root, path):
    """The object at a path, or None."""
    for part in path.split(".") if path else ():
        root = getattr(root, part, None)
    return root


def of(root, path):
    """The public modules that have the names of a module.

    Args:
        root: The package.
        path: The path of the module, a str such as "ops.array_ops".

    Returns:
        A list of modules.
    """
    if path.partition(".")[0] == "keras":
        return _of_keras(root, path)
    parts = path.split(".")
    starts = [".".join(parts[: i + 1]) for i in range(len(parts))]
    names = [p for start in starts for p in _PLACES if start == p or _begins(start, p)]
    if not names:
        return []
    found = [_found(root, place) for place in _PLACES[max(names, key=len)].split(" ")]
    return [module for module in found if module is not None]


def _begins(path, start):
    """Whether a module's name goes on as TensorFlow's do: "ops.nn_ops" begins with "ops.nn"."""
    return path.startswith(start + "_") and "." in start


def _of_keras(root, path):
    keras, parts = root.keras, path.split(".")[1:]
    if not parts:
        return [keras]
    first = [_found(keras, ".".join(parts[:i])) for i in range(len(parts), 0, -1)]
    if len(parts) == 1 and first[0] is not None:
        return first
    return [m for m in [*first, *(_found(keras, name) for name in _OF_KERAS)] if m is not None]
