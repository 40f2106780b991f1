# SPDX-License-Identifier: Apache-2.0
"""How many nodes 1.15 has around the loop of dynamic_rnn().

An operation without a seed of its own takes the number of nodes before it as its seed: so does the
initial value of a cell's variable, which is made when the loop first calls the cell.
"""

from ...graph.seeds import count_more_nodes, counted_nodes

# The order of dimensions is computed; a size is cut out of a shape.
_TRANSPOSED, _MORE_TRANSPOSED, _SIZE = 8, 6, 5
_LENGTHS, _LENGTHS_USED = 12, 4  # they are checked; the loop needs the least and the largest
_ZEROS, _ZEROS_OF_UNKNOWN = 6, 7  # an output past a sequence's length
_ROWS = 10  # the array of the inputs, and its elements
_BOUND = 3  # the least number of steps
_COUNTER, _COUNTER_ENDS = 10, 2  # iterations are counted a second time


class NodeCounts:
    """Lets get_seed() count the nodes of a layer as 1.15 has them.

    Args:
        graph: The Graph of the layer, whose nodes are counted from now on.
    """

    def __init__(self, graph):
        self._graph, self._start = graph, counted_nodes(graph)

    def so_far(self):
        """Returns how many nodes were counted, an int."""
        return counted_nodes(self._graph) - self._start

    def before_loop(self, time_major, of_lengths, batch, outputs, of_state):
        """Counts what is before the loop.

        Args:
            time_major: Whether time is the first dimension of the inputs. A bool.
            of_lengths: How many nodes the lengths have, an int. None: sequences have none.
            batch: The number of sequences, an int. None: it is not known.
            outputs: How many tensors the cell returns, an int.
            of_state: How many nodes the first state has, an int.
        """
        number = of_state + _SIZE + outputs + _ROWS + _BOUND
        number += 0 if time_major else _TRANSPOSED
        number += 0 if of_lengths is None else of_lengths + _LENGTHS + _LENGTHS_USED
        number += outputs * (_ZEROS_OF_UNKNOWN if batch is None else _ZEROS)
        number += 2 * _SIZE if batch is None else 0
        count_more_nodes(number + _COUNTER - self.so_far(), self._graph)

    def behind_loop(self, time_major, known, outputs):
        """Counts what is behind the loop.

        Args:
            time_major: Whether time is the first dimension of the inputs. A bool.
            known: The numbers of steps and of sequences, ints or None.
            outputs: How many tensors the cell returns, an int.
        """
        of_shape = 1 if None in known else 2
        of_output = of_shape + (0 if time_major else _MORE_TRANSPOSED)
        count_more_nodes(_COUNTER_ENDS + outputs * of_output, self._graph)
