# SPDX-License-Identifier: Apache-2.0
"""Variables that begin with the values of a checkpoint."""

from .. import dtypes
from ..graph.default_graph import device, get_default_graph
from ..graph.keys import GraphKeys
from ..ops import array as arrays
from ..ops import raw_ops
from ..ops.state.initializers import zeros
from ..ops.state.partitioned import PartitionedVariable
from ..ops.state.variable_scope import scopes_of
from ..ops.state.variables import Variable
from .checkpoints.reader import checkpoint_in, load_checkpoint
from .saveables import SavedVariable


def init_from_checkpoint(ckpt_dir_or_file, assignment_map):
    """Lets the initializers of variables read their values from a checkpoint.

    Args:
        ckpt_dir_or_file: Path of the checkpoint without its ending, or of a directory. A str.
        assignment_map: A dict: name in the checkpoint -> variable, list of the parts of one, or its
            name; or scope in the checkpoint -> scope of the graph, both with "/" at their end.

    Raises:
        ValueError: A variable is not in the checkpoint, not in the graph, or has another shape.
    """
    path, reader = checkpoint_in(ckpt_dir_or_file), load_checkpoint(ckpt_dir_or_file)
    shapes = reader.get_variable_to_shape_map()
    known = scopes_of(get_default_graph()).variables
    for name, given in sorted(assignment_map.items()):
        variable = known.get(given) if isinstance(given, str) else given
        if variable is not None:
            _begin_with(variable, path, name, shapes)
        else:
            for own, saved in _of_scope(given, name, known):
                _begin_with(known[own], path, saved, shapes)


def _of_scope(scope, saved_scope, known):
    """(name in the graph, name in the checkpoint) of the variables of a scope."""
    prefix = scope.rpartition("/")[0]
    if not saved_scope.endswith("/"):
        raise ValueError(
            f"Assignment map with scope only name {prefix} should map to scope only {saved_scope}."
            " Should be 'scope/': 'other_scope/'."
        )
    for own in sorted(known):
        if getattr(known[own], "_save_slice_info", None) is not None:
            continue  # a part: the whole variable is there too
        if not prefix or own.startswith(prefix + "/"):
            rest = own[len(prefix) :] if scope == "/" else own[len(prefix) :].lstrip("/")
            yield own, rest.lstrip("/") if saved_scope == "/" else saved_scope + rest


def _begin_with(variable, path, name, shapes):
    if name not in shapes:
        raise ValueError(f"Tensor {name} is not found in {path} checkpoint {shapes}")
    if isinstance(variable, Variable) and not variable.shape.is_compatible_with(shapes[name]):
        raise ValueError(
            f"Shape of variable {variable.name} ({variable.shape}) doesn't match with shape of"
            f" tensor {name} ({shapes[name]}) from checkpoint reader."
        )
    for part in _parts(variable):
        piece = part._save_slice_info
        piece = "" if piece is None else piece.spec
        with device(part.device), device("/cpu:0"):
            (value,) = raw_ops.RestoreV2(
                prefix=path, tensor_names=[name], shape_and_slices=[piece],
                dtypes=[part.dtype.base_dtype], name="checkpoint_initializer",
            )  # fmt: skip
        part.initializer = SavedVariable(name, piece, part).restore([value], False)
        value.set_shape(part.shape)
        part.initial_value = value


def _parts(variable):
    whole = isinstance(variable, Variable)
    return [variable] if whole else list(variable)


def warm_start(ckpt_to_initialize_from, vars_to_warm_start=".*", var_name_to_vocab_info=None,
               var_name_to_prev_var_name=None):  # fmt: skip
    """Lets the initializers of variables read their values from a checkpoint, by their names.

    Args:
        ckpt_to_initialize_from: Path of the checkpoint without its ending, or of a directory. A
            str.
        vars_to_warm_start: A regular expression that names of trainable variables begin with; or a
            list of such for all variables; or a list of variables. None: only those of
            var_name_to_vocab_info.
        var_name_to_vocab_info: A dict: name of the variable -> VocabInfo, where rows belong to
            words.
        var_name_to_prev_var_name: A dict: name of the variable -> name in the checkpoint.

    Raises:
        ValueError: A name of a dict is not one of the variables, or the checkpoint lacks one.
    """
    groups = _groups(vars_to_warm_start)
    infos, names = var_name_to_vocab_info or {}, var_name_to_prev_var_name or {}
    plain = {}
    for name, parts in groups.items():
        saved = names.get(name, name)
        if name in infos:
            _begin_with_words(parts, ckpt_to_initialize_from, saved, infos[name])
        elif vars_to_warm_start:
            plain[saved] = parts[0] if len(parts) == 1 else parts
    init_from_checkpoint(ckpt_to_initialize_from, plain)
    for what, given in (
        ("var_name_to_prev_var_name", names),
        ("var_name_to_vocab_info", infos),
    ):
        unknown = set(given) - set(groups)
        if unknown:
            raise ValueError(
                f"You provided the following variables in {what} that were not used: {unknown}. "
                " Perhaps you misspelled them?  Here is the list of viable variable names:"
                f" {groups.keys()}"
            )


def _groups(wanted):
    """The variables by their names; parts of one have one name."""
    graph = get_default_graph()
    if isinstance(wanted, str) or wanted is None:
        found = graph.get_collection(GraphKeys.TRAINABLE_VARIABLES, wanted)
    elif not isinstance(wanted, list):
        raise ValueError(
            f"`vars_to_warm_start must be a `list` or `str`.  Given type is {type(wanted)}"
        )
    elif all(isinstance(item, str) for item in wanted):
        found = [v for item in wanted for v in graph.get_collection(
            GraphKeys.GLOBAL_VARIABLES, item)]  # fmt: skip
    elif all(isinstance(item, (Variable, PartitionedVariable)) for item in wanted):
        found = [part for item in wanted for part in _parts(item)]
    else:
        raise ValueError(
            "If `vars_to_warm_start` is a list, it must be all `Variable` or all `str`.  Given"
            f" types are {[type(item) for item in wanted]}"
        )
    groups = {}
    for variable in found:
        piece = variable._save_slice_info
        name = variable.op.name if piece is None else piece.full_name
        groups.setdefault(name, []).append(variable)
    return groups


def _begin_with_words(parts, checkpoint, name, info):
    """A matrix whose rows or columns belong to words of another order in the checkpoint."""
    if not (info.new_vocab and info.new_vocab_size and checkpoint and info.old_vocab):
        raise ValueError(
            "Invalid args: Must provide all of [current_vocab_path, current_vocab_size, prev_ckpt,"
            f" prev_vocab_path}}, which the VocabInfo of {name} lacks."
        )
    path = checkpoint_in(checkpoint)
    for part in parts:
        piece = part._save_slice_info
        first = 0 if piece is None else piece.var_offset[0]
        part.initializer = part.assign(_remapped(part, path, name, info, first)).op


def _remapped(part, path, name, info, first):
    initial = info.backup_initializer or zeros()
    height, width = part.shape.as_list()
    oov_rows = oov_columns = 0
    if info.axis == 0:
        oov_rows = max(0, first + height - max(info.new_vocab_size, first))
        oov_rows = min(oov_rows, info.num_oov_buckets)
    else:
        oov_columns = info.num_oov_buckets
    height, width = height - oov_rows, width - oov_columns
    rows, known_rows = arrays.range(first, first + height, dtype=dtypes.int64), height
    columns, known_columns = arrays.zeros([0], dtypes.int64), width
    if info.axis == 0:
        rows, known_rows = _remapping(info, height, first)
    else:
        columns, known_columns = _remapping(info, width, 0)
    lacking = height * width - known_rows * known_columns
    values = raw_ops.LoadAndRemapMatrix(
        ckpt_path=path, old_tensor_name=name, row_remapping=rows, col_remapping=columns,
        initializing_values=initial([lacking, 1], dtype=dtypes.float32), num_rows=height,
        num_cols=width,
    )  # fmt: skip
    if oov_rows:
        values = arrays.concat([values, initial([oov_rows, width], dtype=dtypes.float32)], 0)
    if oov_columns:
        more = initial([height + oov_rows, oov_columns], dtype=dtypes.float32)
        values = arrays.concat([values, more], 1)
    values.set_shape(part.shape)
    return values


def _remapping(info, count, first):
    """Where each new word is in the old vocabulary, and how many are."""
    places, present = raw_ops.GenerateVocabRemapping(
        new_vocab_file=info.new_vocab, old_vocab_file=info.old_vocab, num_new_vocab=count,
        new_vocab_offset=first, old_vocab_size=info.old_vocab_size,
    )  # fmt: skip
    return places, present
