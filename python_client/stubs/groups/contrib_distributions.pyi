# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.distributions.counts import Bernoulli as Bernoulli
from sluice.distributions.positive import Beta as Beta
from sluice.distributions.counts import Categorical as Categorical
from sluice.distributions.positive import Dirichlet as Dirichlet
from sluice.distributions.counts import DirichletMultinomial as DirichletMultinomial
from sluice.distributions.distribution import Distribution as Distribution
from sluice.distributions.positive import Exponential as Exponential
FULLY_REPARAMETERIZED: _Any
from sluice.distributions.positive import Gamma as Gamma
from sluice.distributions.vectors import Independent as Independent
from sluice.distributions.real import Laplace as Laplace
from sluice.distributions.counts import Multinomial as Multinomial
from sluice.distributions.vectors import MultivariateNormalDiag as MultivariateNormalDiag
NOT_REPARAMETERIZED: _Any
from sluice.distributions.real import Normal as Normal
from sluice.distributions.one_hot import OneHotCategorical as OneHotCategorical
from sluice.distributions.one_hot import Poisson as Poisson
from sluice.distributions.divergence import RegisterKL as RegisterKL
from sluice.distributions.one_hot import RelaxedOneHotCategorical as RelaxedOneHotCategorical
from sluice.distributions.distribution import ReparameterizationType as ReparameterizationType
from sluice.distributions.real import StudentT as StudentT
from sluice.distributions.real import Uniform as Uniform
from sluice.distributions.divergence import kl_divergence as kl_divergence
