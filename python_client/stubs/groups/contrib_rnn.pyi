# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.rnn.attentive import AttentionCellWrapper as AttentionCellWrapper
from sluice.ops.rnn.rnn_cell import BasicLSTMCell as BasicLSTMCell
from sluice.ops.rnn.rnn_cell import BasicRNNCell as BasicRNNCell
from sluice.contrib_parts.rnn.coupled import CoupledInputForgetGateLSTMCell as CoupledInputForgetGateLSTMCell
from sluice.ops.rnn.around import PlacedCell as _ops_rnn_around_PlacedCell
DeviceWrapper = _ops_rnn_around_PlacedCell
from sluice.ops.rnn.around import DroppingCell as _ops_rnn_around_DroppingCell
DropoutWrapper = _ops_rnn_around_DroppingCell
from sluice.contrib_parts.rnn.projections import EmbeddingWrapper as EmbeddingWrapper
from sluice.contrib_parts.rnn.fused import FusedRNNCell as FusedRNNCell
from sluice.contrib_parts.rnn.fused import FusedRNNCellAdaptor as FusedRNNCellAdaptor
from sluice.contrib_parts.rnn.blocks import GRUBlockCell as GRUBlockCell
from sluice.contrib_parts.rnn.blocks import GRUBlockCellV2 as GRUBlockCellV2
from sluice.ops.rnn.rnn_cell import GRUCell as GRUCell
from sluice.contrib_parts.rnn.attentive import HighwayWrapper as HighwayWrapper
from sluice.contrib_parts.rnn.projections import InputProjectionWrapper as InputProjectionWrapper
from sluice.contrib_parts.rnn.gated import IntersectionRNNCell as IntersectionRNNCell
from sluice.contrib_parts.rnn.blocks import LSTMBlockCell as LSTMBlockCell
from sluice.contrib_parts.rnn.fused import LSTMBlockFusedCell as LSTMBlockFusedCell
from sluice.contrib_parts.rnn.fused import LSTMBlockWrapper as LSTMBlockWrapper
from sluice.ops.rnn.rnn_cell import LSTMCell as LSTMCell
from sluice.ops.rnn.cells import LSTMStateTuple as LSTMStateTuple
from sluice.contrib_parts.rnn.normalized import LayerNormBasicLSTMCell as LayerNormBasicLSTMCell
from sluice.ops.rnn.around import MultiRNNCell as MultiRNNCell
from sluice.contrib_parts.rnn.gated import NASCell as NASCell
from sluice.contrib_parts.rnn.projections import OutputProjectionWrapper as OutputProjectionWrapper
from sluice.ops.rnn.cells import RNNCell as RNNCell
from sluice.ops.rnn.around import ResidualCell as _ops_rnn_around_ResidualCell
ResidualWrapper = _ops_rnn_around_ResidualCell
from sluice.contrib_parts.rnn.fused import TimeReversedFusedRNN as TimeReversedFusedRNN
from sluice.contrib_parts.rnn.gated import UGRNNCell as UGRNNCell
from sluice.contrib_parts.rnn.shapes import best_effort_input_batch_size as best_effort_input_batch_size
from sluice.contrib_parts.rnn.stacked import stack_bidirectional_dynamic_rnn as stack_bidirectional_dynamic_rnn
from sluice.contrib_parts.rnn.stacked import stack_bidirectional_rnn as stack_bidirectional_rnn
from sluice.ops.rnn.rnn import static_bidirectional_rnn as static_bidirectional_rnn
from sluice.ops.rnn.rnn import static_rnn as static_rnn
from sluice.ops.rnn.raw_rnn import static_state_saving_rnn as static_state_saving_rnn
from sluice.contrib_parts.rnn.shapes import transpose_batch_time as transpose_batch_time
