# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.contrib_parts.training.evaluation import wait_for_new_checkpoint as wait_for_new_checkpoint
from sluice.training.checkpoints.state import checkpoints_iterator as checkpoints_iterator

def evaluate_once(master: _b.str, checkpoint_path: _b.str, logdir: _b.str, num_evals: _b.int = ..., initial_op: _Any = ..., initial_op_feed_dict: _Any = ..., eval_op: _Any = ..., eval_op_feed_dict: _Any = ..., final_op: _Any = ..., final_op_feed_dict: _Any = ..., summary_op: _Any = ..., summary_op_feed_dict: _Any = ..., variables_to_restore: _Any = ..., session_config: _Any = ..., hooks: _Any = ...) -> _Any: ...
def evaluation_loop(master: _b.str, checkpoint_dir: _b.str, logdir: _b.str, num_evals: _b.int = ..., initial_op: _Any = ..., initial_op_feed_dict: _Any = ..., init_fn: _Optional[_Callable[..., _Any]] = ..., eval_op: _Any = ..., eval_op_feed_dict: _Any = ..., final_op: _Any = ..., final_op_feed_dict: _Any = ..., summary_op: _Any = ..., summary_op_feed_dict: _Any = ..., variables_to_restore: _Any = ..., eval_interval_secs: _b.float = ..., max_number_of_evaluations: _Any = ..., session_config: _Any = ..., timeout: _Optional[_b.float] = ..., timeout_fn: _Optional[_Callable[..., _Any]] = ..., hooks: _Any = ...) -> _Any: ...
