# SPDX-License-Identifier: Apache-2.0
"""The state of a graph that the package uses and programs do not see."""

import bisect
import contextlib

from .. import _sluice
from . import origins


class Setting(contextlib.ContextDecorator):
    """Gives attributes of an object other values inside.

    Args:
        owner: The object.
        values: A dict: name of an attribute -> its value inside.
    """

    def __init__(self, owner, values):
        self._state, self._values, self._before = vars(owner), values, []

    def __enter__(self):
        state = self._state
        self._before.append({name: state[name] for name in self._values})
        state.update(self._values)

    def __exit__(self, *_):
        self._state.update(self._before.pop())


class GraphState:
    """The parts of a Graph: its nodes, its collections, and the settings of its scopes.

    `core` is the graph of the C++ client. `ops` has the Operations that were asked for, by id.
    """

    def __init__(self):
        self.core = _sluice.Graph()
        self.ops = {}
        self.names = {}  # a name in lower case -> how many operations asked for it
        self.collections = {}
        self.functions = {}  # name -> the graph of its body
        self.python_functions = []  # those that operations call live as long as the graph
        # The settings of the current scopes.
        self.scope = ""
        self.devices = []
        self.colocation = []
        self.control = []
        self.container = ""
        self.branch = None  # of a conditional made of nodes: see switch_cond()
        self.overrides = {}  # op -> the name of its gradient: see gradient_override_map()
        self.implied = set()  # the ids of constants that were made of values given for tensors
        self.overridden = {}  # the id of an operation -> its function of gradients; None: by name
        self.creators = []  # functions that make variables, the innermost scope's last
        self.loss_reduction = None  # how the last loss was reduced, a constant of Reduction
        self.is_loss_scaled = False  # whether the last optimizer divided the loss by the replicas
        self.together = None  # the name of a variable that new ops stand beside
        # Variables that bodies of loops make: see while_loop().
        self.made_by_bodies, self.retraced = set(), set()
        # Where operations were made: by id, and of those that create_op did not make
        # (first id, id after the last, stack), ascending.
        self.stacks = {}
        self._made_elsewhere = []
        self._places_told = 0  # operations before this id

    def within(self, **values):
        """Gives settings other values inside of a `with`."""
        return Setting(self, values)

    def made_here(self, first):
        """Operations from id `first` on, which create_op did not make, get the caller's line."""
        self._made_elsewhere.append((first, self.core.num_ids(), origins.stack()))

    def made_at(self, node_id):
        """The stack of the operation: see origins.stack()."""
        kept = self.stacks.get(node_id)
        if kept is not None:
            return kept
        at = bisect.bisect_right(self._made_elsewhere, node_id, key=lambda made: made[0]) - 1
        if at < 0:
            return ()
        first, end, stack = self._made_elsewhere[at]
        return stack if node_id < end else ()

    def tell_places(self):
        """Says which lines made the operations since the last call: a session sends them."""
        first, last = self._places_told, self.core.num_ids()
        if first == last:
            return
        stacks = (self.made_at(i) for i in range(first, last))
        self.core.set_places(first, *origins.places_of(stacks))
        self._places_told = last


def give_state(graph):
    """Gives a new Graph its state."""
    graph._graph_state = GraphState()


def state_of(graph):
    """The GraphState of a Graph."""
    return graph._graph_state
