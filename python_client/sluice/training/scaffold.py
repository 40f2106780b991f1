# SPDX-License-Identifier: Apache-2.0
"""The pieces of a graph that a training session needs, with their defaults."""

from ..graph.default_graph import get_default_graph
from ..graph.keys import GraphKeys
from ..ops.array import concat
from ..ops.control_flow.grouping import group, no_op
from ..ops.state.initializing import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)
from ..ops.state.listing import global_variables
from . import resources, summary
from .saver import Saver
from .session_manager import SessionManager


def tables_initializer(name="init_all_tables"):
    """Adds an operation that initialises all lookup tables.

    Args:
        name: Name of the operation, a str.

    Returns:
        The Operation.
    """
    initializers = get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
    return group(*initializers, name=name) if initializers else no_op(name)


class Scaffold:
    """The parts that a training requires besides the model. finalize() makes those not given.

    Args:
        init_op: Operation that initialises the model. None: that of all global variables.
        init_feed_dict: A dict: tensor -> value to feed to init_op.
        init_fn: A function of (scaffold, session) that initialises the model too.
        ready_op: A string vector with the names of what is not initialised. None: of all variables.
        ready_for_local_init_op: The same, for local_init_op to run. None: of the global variables.
        local_init_op: Operation that runs in every session. None: that of local variables and
            tables.
        summary_op: The summary. None: all summaries merged.
        saver: The Saver. None: one of all variables.
        copy_from_scaffold: A Scaffold whose parts are taken where none is given.
        local_init_feed_dict: A dict: tensor -> value to feed to local_init_op.

    Raises:
        TypeError: copy_from_scaffold is not a Scaffold.
    """

    def __init__(self, init_op=None, init_feed_dict=None, init_fn=None, ready_op=None,
                 ready_for_local_init_op=None, local_init_op=None, summary_op=None, saver=None,
                 copy_from_scaffold=None, local_init_feed_dict=None):  # fmt: skip
        given = {
            "init_op": init_op, "init_feed_dict": init_feed_dict, "ready_op": ready_op,
            "ready_for_local_init_op": ready_for_local_init_op, "local_init_op": local_init_op,
            "summary_op": summary_op, "saver": saver, "local_init_feed_dict": local_init_feed_dict,
        }  # fmt: skip
        self._user_init_fn = init_fn
        if copy_from_scaffold is not None:
            if not isinstance(copy_from_scaffold, Scaffold):
                raise TypeError("copy_from_scaffold is not a Scaffold instance.")
            for key, value in given.items():
                given[key] = copy_from_scaffold._pieces[key] if value is None else value
            self._user_init_fn = init_fn or copy_from_scaffold._user_init_fn
        self._pieces = given

    @property
    def init_fn(self):
        """The function of a session that initialises the model too; None if there is none."""
        if self._user_init_fn is None:
            return None
        return lambda session: self._user_init_fn(self, session)

    def finalize(self):
        """Makes the parts that are not given, and finalizes the graph.

        Returns:
            The Scaffold.
        """
        pieces, find = self._pieces, Scaffold.get_or_default
        if pieces["init_op"] is None:
            pieces["init_op"] = find("init_op", GraphKeys.INIT_OP, _init_op)
        if pieces["ready_op"] is None:
            pieces["ready_op"] = find("ready_op", GraphKeys.READY_OP, _ready_op)
        if pieces["ready_for_local_init_op"] is None:
            pieces["ready_for_local_init_op"] = find(
                "ready_for_local_init_op", GraphKeys.READY_FOR_LOCAL_INIT_OP,
                lambda: report_uninitialized_variables(global_variables()),
            )  # fmt: skip
        if pieces["local_init_op"] is None:
            pieces["local_init_op"] = find(
                "local_init_op", GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op
            )
        if pieces["summary_op"] is None:
            pieces["summary_op"] = find("summary_op", GraphKeys.SUMMARY_OP, summary.merge_all)
        if pieces["saver"] is None:
            pieces["saver"] = _saver()
        pieces["saver"].build()
        get_default_graph().finalize()
        return self

    @staticmethod
    def get_or_default(arg_name, collection_key, default_constructor):
        """Returns the item of a collection, or makes it.

        Args:
            arg_name: Name of the part for messages, a str.
            collection_key: Name of the collection, a str.
            default_constructor: A function that makes the item, which is added to the collection.

        Returns:
            The item.

        Raises:
            RuntimeError: The collection has several items.
        """
        graph = get_default_graph()
        found = graph.get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(
                f'More than one item in the collection "{collection_key}". Please indicate which '
                "one to use by passing it to the tf.Scaffold constructor as: "
                f"tf.Scaffold({arg_name}=item to use)"
            )
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            graph.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op():
        """Adds an operation that initialises local variables and tables.

        Returns:
            The Operation.
        """
        own = resources.initializers(GraphKeys.LOCAL_RESOURCES)
        return group(local_variables_initializer(), tables_initializer(), *own)


for _piece in (
    "init_op", "init_feed_dict", "ready_op", "ready_for_local_init_op", "local_init_op",
    "summary_op", "saver", "local_init_feed_dict",
):  # fmt: skip
    _doc = f"The {_piece} that was given, or that finalize() made."
    setattr(Scaffold, _piece, property(lambda self, key=_piece: self._pieces[key], doc=_doc))


def session_manager_of(scaffold):
    """The SessionManager that makes sessions with the parts of a finalized Scaffold."""
    return SessionManager(
        scaffold.local_init_op, scaffold.ready_op, scaffold.ready_for_local_init_op,
        get_default_graph(), local_init_feed_dict=scaffold.local_init_feed_dict,
    )  # fmt: skip


def _init_op():
    more = resources.initializers(GraphKeys.RESOURCES)
    return group(global_variables_initializer(), *more, name="init")


def _ready_op():
    more = resources.uninitialized(GraphKeys.RESOURCES)
    names = report_uninitialized_variables()
    return names if more is None else concat([names, more], 0)


def _saver():
    graph = get_default_graph()
    savers = graph.get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError(
            "More than one item in collection savers. Please indicate which one to use by passing "
            "it to the constructor."
        )
    if savers:
        return savers[0]
    saver = Saver(sharded=True, allow_empty=True)
    graph.add_to_collection(GraphKeys.SAVERS, saver)
    return saver
