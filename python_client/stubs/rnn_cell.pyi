# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.rnn.rnn_cell import BasicLSTMCell as BasicLSTMCell
from sluice.ops.rnn.rnn_cell import BasicRNNCell as BasicRNNCell
from sluice.ops.rnn.rnn_cell import DroppingCell as _ops_rnn_rnn_cell_DroppingCell
DropoutWrapper = _ops_rnn_rnn_cell_DroppingCell
from sluice.ops.rnn.rnn_cell import GRUCell as GRUCell
from sluice.ops.rnn.rnn_cell import LSTMCell as LSTMCell
from sluice.ops.rnn.rnn_cell import LSTMStateTuple as LSTMStateTuple
from sluice.ops.rnn.rnn_cell import MultiRNNCell as MultiRNNCell
from sluice.ops.rnn.rnn_cell import PlacedCell as _ops_rnn_rnn_cell_PlacedCell
DeviceWrapper = _ops_rnn_rnn_cell_PlacedCell
from sluice.ops.rnn.rnn_cell import RNNCell as RNNCell
from sluice.ops.rnn.rnn_cell import ResidualCell as _ops_rnn_rnn_cell_ResidualCell
ResidualWrapper = _ops_rnn_rnn_cell_ResidualCell


