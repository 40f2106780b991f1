# SPDX-License-Identifier: Apache-2.0
"""Linear models by stochastic dual coordinate ascent (Shalev-Shwartz and Zhang, 2012)."""

from ..ops.building import thin, with_names

sdca_optimizer = thin(
    "SdcaOptimizer",
    "sparse_example_indices sparse_feature_indices sparse_feature_values dense_features"
    " example_weights example_labels sparse_indices sparse_weights dense_weights"
    " example_state_data loss_type l1 l2 num_loss_partitions num_inner_iterations"
    " adaptative=True",
    "Takes steps of stochastic dual coordinate ascent on a group of examples.",
)
sdca_shrink_l1 = thin("SdcaShrinkL1", "weights l1 l2", "Shrinks weights by the L1 term of a loss.")
sdca_fprint = thin("SdcaFprint", "input", "Computes fingerprints of 128 bits of strings.")
__all__ = with_names(globals())
