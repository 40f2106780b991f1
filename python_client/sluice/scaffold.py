"""The pieces of a graph that a training session needs, with their defaults."""

from . import arrays, summary
from .graph import GraphKeys, get_default_graph
from .saver import Saver
from .session_manager import SessionManager
from .variables import (
    global_variables,
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
)


def tables_initializer(name="init_all_tables"):
    """An operation that fills every table of the graph."""
    initializers = get_default_graph().get_collection(GraphKeys.TABLE_INITIALIZERS)
    return arrays.group(*initializers, name=name) if initializers else arrays.no_op(name)


class Scaffold:
    """The pieces; those that are not given are found in collections, or made by finalize().

    init_op (all global variables), init_feed_dict, init_fn(scaffold, session): initialise;
    ready_op (names of what is not initialised), ready_for_local_init_op (the same of global
    variables), local_init_op (local variables and tables), summary_op (all summaries merged), saver
    (of all variables, sharded). copy_from_scaffold: a Scaffold to take them from.
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
                raise TypeError("copy_from_scaffold must be a Scaffold")
            for key, value in given.items():
                given[key] = copy_from_scaffold._pieces[key] if value is None else value
            self._user_init_fn = init_fn or copy_from_scaffold._user_init_fn
        self._pieces = given

    @property
    def init_fn(self):
        """A function of the session, or None."""
        if self._user_init_fn is None:
            return None
        return lambda session: self._user_init_fn(self, session)

    def finalize(self):
        """Makes what is missing, and closes the graph."""
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

    def _session_manager(self):
        return SessionManager(
            self.local_init_op, self.ready_op, self.ready_for_local_init_op, get_default_graph(),
            local_init_feed_dict=self.local_init_feed_dict,
        )  # fmt: skip

    @staticmethod
    def get_or_default(arg_name, collection_key, default_constructor):
        """The one item of a collection, or what default_constructor() makes, which goes into it.
        RuntimeError: there are several."""
        graph = get_default_graph()
        found = graph.get_collection(collection_key)
        if len(found) > 1:
            raise RuntimeError(f"the collection {collection_key} has several: give {arg_name}")
        if found:
            return found[0]
        made = default_constructor()
        if made is not None:
            graph.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op():
        """Initialises local variables and tables."""
        return arrays.group(local_variables_initializer(), tables_initializer())


for _piece in (
    "init_op", "init_feed_dict", "ready_op", "ready_for_local_init_op", "local_init_op",
    "summary_op", "saver", "local_init_feed_dict",
):  # fmt: skip
    setattr(Scaffold, _piece, property(lambda self, key=_piece: self._pieces[key]))


def _init_op():
    return arrays.group(global_variables_initializer(), name="init")


def _ready_op():
    return report_uninitialized_variables()


def _saver():
    graph = get_default_graph()
    savers = graph.get_collection(GraphKeys.SAVERS)
    if len(savers) > 1:
        raise RuntimeError("the graph has several Savers: give the Scaffold one")
    if savers:
        return savers[0]
    saver = Saver(sharded=True, allow_empty=True)
    graph.add_to_collection(GraphKeys.SAVERS, saver)
    return saver
