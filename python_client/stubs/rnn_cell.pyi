# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.rnn.around import DroppingCell as _ops_rnn_around_DroppingCell
DropoutWrapper = _ops_rnn_around_DroppingCell
from sluice.ops.rnn.around import MultiRNNCell as MultiRNNCell
from sluice.ops.rnn.around import PlacedCell as _ops_rnn_around_PlacedCell
DeviceWrapper = _ops_rnn_around_PlacedCell
from sluice.ops.rnn.around import ResidualCell as _ops_rnn_around_ResidualCell
ResidualWrapper = _ops_rnn_around_ResidualCell
from sluice.ops.rnn.cells import LSTMStateTuple as LSTMStateTuple
from sluice.ops.rnn.cells import RNNCell as RNNCell
from sluice.ops.rnn.rnn_cell import BasicLSTMCell as BasicLSTMCell
from sluice.ops.rnn.rnn_cell import BasicRNNCell as BasicRNNCell
from sluice.ops.rnn.rnn_cell import GRUCell as GRUCell
from sluice.ops.rnn.rnn_cell import LSTMCell as LSTMCell


