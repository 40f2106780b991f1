# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.groups import contrib_autograph as _contrib_autograph
autograph = _contrib_autograph
from sluice.groups import contrib_checkpoint as _contrib_checkpoint
checkpoint = _contrib_checkpoint
from sluice.groups import contrib_cluster_resolver as _contrib_cluster_resolver
cluster_resolver = _contrib_cluster_resolver
from sluice.groups import contrib_compiler as _contrib_compiler
compiler = _contrib_compiler
from sluice.groups import contrib_crf as _contrib_crf
crf = _contrib_crf
from sluice.groups import contrib_cudnn_rnn as _contrib_cudnn_rnn
cudnn_rnn = _contrib_cudnn_rnn
from sluice.groups import contrib_data as _contrib_data
data = _contrib_data
from sluice.groups import contrib_distribute as _contrib_distribute
distribute = _contrib_distribute
from sluice.groups import contrib_distributions as _contrib_distributions
distributions = _contrib_distributions
from sluice.groups import contrib_eager as _contrib_eager
eager = _contrib_eager
from sluice.groups import contrib_factorization as _contrib_factorization
factorization = _contrib_factorization
from sluice.groups import contrib_feature_column as _contrib_feature_column
feature_column = _contrib_feature_column
from sluice.groups import contrib_framework as _contrib_framework
framework = _contrib_framework
from sluice.groups import contrib_image as _contrib_image
image = _contrib_image
from sluice.groups import contrib_keras as _contrib_keras
keras = _contrib_keras
from sluice.groups import contrib_layers as _contrib_layers
layers = _contrib_layers
from sluice.groups import contrib_legacy_seq2seq as _contrib_legacy_seq2seq
legacy_seq2seq = _contrib_legacy_seq2seq
from sluice.groups import contrib_lookup as _contrib_lookup
lookup = _contrib_lookup
from sluice.groups import contrib_losses as _contrib_losses
losses = _contrib_losses
from sluice.groups import contrib_metrics as _contrib_metrics
metrics = _contrib_metrics
from sluice.groups import contrib_mixed_precision as _contrib_mixed_precision
mixed_precision = _contrib_mixed_precision
from sluice.groups import contrib_nn as _contrib_nn
nn = _contrib_nn
from sluice.groups import contrib_opt as _contrib_opt
opt = _contrib_opt
from sluice.groups import contrib_optimizer_v2 as _contrib_optimizer_v2
optimizer_v2 = _contrib_optimizer_v2
from sluice.groups import contrib_predictor as _contrib_predictor
predictor = _contrib_predictor
from sluice.groups import contrib_proto as _contrib_proto
proto = _contrib_proto
from sluice.groups import contrib_rnn as _contrib_rnn
rnn = _contrib_rnn
from sluice.groups import contrib_seq2seq as _contrib_seq2seq
seq2seq = _contrib_seq2seq
from sluice.groups import contrib_signal as _contrib_signal
signal = _contrib_signal
from sluice.groups import contrib_slim as _contrib_slim
slim = _contrib_slim
from sluice.groups import contrib_sparsemax as _contrib_sparsemax
sparsemax = _contrib_sparsemax
from sluice.groups import contrib_staging as _contrib_staging
staging = _contrib_staging
from sluice.groups import contrib_stateless as _contrib_stateless
stateless = _contrib_stateless
from sluice.groups import contrib_summary as _contrib_summary
summary = _contrib_summary
from sluice.groups import contrib_tensorboard as _contrib_tensorboard
tensorboard = _contrib_tensorboard
from sluice.groups import contrib_testing as _contrib_testing
testing = _contrib_testing
from sluice.groups import contrib_tpu as _contrib_tpu
tpu = _contrib_tpu
from sluice.groups import contrib_training as _contrib_training
training = _contrib_training
from sluice.groups import contrib_util as _contrib_util
util = _contrib_util

class GreedyLoadBalancingStrategy:
    def __init__(self, num_tasks: _b.int, load_fn: _Callable[..., _Any]) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
class RandomStrategy:
    def __init__(self, num_ps_tasks: _b.int, seed: _b.int = ...) -> None: ...
    def __call__(self, *args: _Any, **kwargs: _Any) -> _Any: ...
def byte_size_load_fn(op: _Any) -> _b.int: ...
