# SPDX-License-Identifier: Apache-2.0
"""Probability distributions: probabilities, samples, statistics and divergences."""

from .counts import Bernoulli, Categorical, DirichletMultinomial, Multinomial
from .distribution import (
    FULLY_REPARAMETERIZED,
    NOT_REPARAMETERIZED,
    Distribution,
    ReparameterizationType,
)
from .divergence import RegisterKL, kl_divergence
from .positive import Beta, Dirichlet, Exponential, Gamma
from .real import Laplace, Normal, StudentT, Uniform

__all__ = [
    "Bernoulli", "Beta", "Categorical", "Dirichlet", "DirichletMultinomial", "Distribution",
    "Exponential", "FULLY_REPARAMETERIZED", "Gamma", "Laplace", "Multinomial",
    "NOT_REPARAMETERIZED", "Normal", "RegisterKL", "ReparameterizationType", "StudentT", "Uniform",
    "kl_divergence",
]  # fmt: skip
