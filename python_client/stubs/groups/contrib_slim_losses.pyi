# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.losses.older import absolute_difference as absolute_difference
from sluice.contrib_parts.losses.older import add_loss as add_loss
from sluice.contrib_parts.losses.older import compute_weighted_loss as compute_weighted_loss
from sluice.contrib_parts.losses.older import cosine_distance as cosine_distance
from sluice.ops.nn.losses import get_losses as get_losses
from sluice.ops.nn.losses import get_regularization_losses as get_regularization_losses
from sluice.ops.nn.losses import get_total_loss as get_total_loss
from sluice.contrib_parts.losses.older import hinge_loss as hinge_loss
from sluice.contrib_parts.losses.older import log_loss as log_loss
from sluice.contrib_parts.losses.older import mean_pairwise_squared_error as mean_pairwise_squared_error
from sluice.contrib_parts.losses.older import mean_squared_error as mean_squared_error
from sluice.groups import contrib_losses_metric_learning as _contrib_losses_metric_learning
metric_learning = _contrib_losses_metric_learning
from sluice.contrib_parts.losses.older import sigmoid_cross_entropy as sigmoid_cross_entropy
from sluice.contrib_parts.losses.older import softmax_cross_entropy as softmax_cross_entropy
from sluice.contrib_parts.losses.older import sparse_softmax_cross_entropy as sparse_softmax_cross_entropy
