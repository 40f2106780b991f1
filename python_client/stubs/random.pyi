# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.graph.seeds import get_seed as get_seed
from sluice.graph.seeds import set_random_seed as set_random_seed
from sluice.ops.random.candidates import all_candidate_sampler as all_candidate_sampler
from sluice.ops.random.candidates import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from sluice.ops.random.candidates import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from sluice.ops.random.candidates import log_uniform_candidate_sampler as log_uniform_candidate_sampler
from sluice.ops.random.candidates import uniform_candidate_sampler as uniform_candidate_sampler
from sluice.ops.random.random import categorical as categorical
from sluice.ops.random.random import gamma as gamma
from sluice.ops.random.random import multinomial as multinomial
from sluice.ops.random.random import normal as normal
from sluice.ops.random.random import poisson as poisson
from sluice.ops.random.random import random_crop as random_crop
from sluice.ops.random.random import shuffle as shuffle
from sluice.ops.random.random import stateless_categorical as stateless_categorical
from sluice.ops.random.random import stateless_multinomial as stateless_multinomial
from sluice.ops.random.random import stateless_normal as stateless_normal
from sluice.ops.random.random import stateless_truncated_normal as stateless_truncated_normal
from sluice.ops.random.random import stateless_uniform as stateless_uniform
from sluice.ops.random.random import truncated_normal as truncated_normal
from sluice.ops.random.random import uniform as uniform


