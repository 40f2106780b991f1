# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import contrib_crf as _contrib_crf
crf = _contrib_crf
from sluice.groups import contrib_cudnn_rnn as _contrib_cudnn_rnn
cudnn_rnn = _contrib_cudnn_rnn
from sluice.groups import contrib_data as _contrib_data
data = _contrib_data
from sluice.groups import contrib_factorization as _contrib_factorization
factorization = _contrib_factorization
from sluice.groups import contrib_feature_column as _contrib_feature_column
feature_column = _contrib_feature_column
from sluice.groups import contrib_framework as _contrib_framework
framework = _contrib_framework
from sluice.groups import contrib_layers as _contrib_layers
layers = _contrib_layers
from sluice.groups import contrib_legacy_seq2seq as _contrib_legacy_seq2seq
legacy_seq2seq = _contrib_legacy_seq2seq
from sluice.groups import contrib_lookup as _contrib_lookup
lookup = _contrib_lookup
from sluice.groups import contrib_metrics as _contrib_metrics
metrics = _contrib_metrics
from sluice.groups import contrib_opt as _contrib_opt
opt = _contrib_opt
from sluice.groups import contrib_rnn as _contrib_rnn
rnn = _contrib_rnn
from sluice.groups import contrib_seq2seq as _contrib_seq2seq
seq2seq = _contrib_seq2seq
from sluice.groups import contrib_slim as _contrib_slim
slim = _contrib_slim
from sluice.groups import contrib_staging as _contrib_staging
staging = _contrib_staging
from sluice.groups import contrib_tpu as _contrib_tpu
tpu = _contrib_tpu
from sluice.groups import contrib_training as _contrib_training
training = _contrib_training

class GreedyLoadBalancingStrategy:
    def __init__(self, num_tasks: _b.int, load_fn: _Callable[..., _Any]) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class RandomStrategy:
    def __init__(self, num_ps_tasks: _b.int, seed: _b.int = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
def byte_size_load_fn(op: _Any) -> _b.int: ...
