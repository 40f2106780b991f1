# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.training.gradients import clip_gradient_norms as clip_gradient_norms
from sluice.contrib_parts.training.gradients import multiply_gradients as multiply_gradients
from sluice.graph.elements import Tensor as Tensor
from sluice.graph.graph import Graph as Graph
from sluice.session.session import Session as Session
from sluice.types import TensorLike as TensorLike

def add_gradients_summaries(grads_and_vars: _Any) -> _b.list[_Any]: ...
def create_train_op(total_loss: TensorLike, optimizer: _Any, global_step: _Any = ..., update_ops: _Any = ..., variables_to_train: _Any = ..., clip_gradient_norm: _Any = ..., summarize_gradients: _b.bool = ..., gate_gradients: _Any = ..., aggregation_method: _Any = ..., colocate_gradients_with_ops: _b.bool = ..., gradient_multipliers: _Optional[_b.dict[_Any, _Any]] = ..., check_numerics: _b.bool = ...) -> _Any: ...
def train_step(sess: Session, train_op: TensorLike, global_step: _Any, train_step_kwargs: TensorLike) -> Tensor: ...
def train(train_op: _Any, logdir: _Optional[_b.str], train_step_fn: _Callable[..., _Any] = ..., train_step_kwargs: _Any = ..., log_every_n_steps: _b.int = ..., graph: _Optional[Graph] = ..., master: _b.str = ..., is_chief: _b.bool = ..., global_step: _Any = ..., number_of_steps: _Optional[_b.int] = ..., init_op: _Any = ..., init_feed_dict: _Any = ..., local_init_op: _Any = ..., init_fn: _Optional[_Callable[..., _Any]] = ..., ready_op: TensorLike = ..., summary_op: _Any = ..., save_summaries_secs: _b.float = ..., summary_writer: _Any = ..., startup_delay_steps: _b.int = ..., saver: _Any = ..., save_interval_secs: _b.float = ..., sync_optimizer: _Any = ..., session_config: _Any = ..., session_wrapper: _Optional[_Callable[..., _Any]] = ..., trace_every_n_steps: _Optional[_b.int] = ..., ignore_live_threads: _b.bool = ...) -> _Any: ...
