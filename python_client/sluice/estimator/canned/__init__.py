# SPDX-License-Identifier: Apache-2.0
"""Ready-made estimators, and the heads that they put on their models."""
