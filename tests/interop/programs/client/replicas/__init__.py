# SPDX-License-Identifier: Apache-2.0
"""Programs whose variables and operations belong to the replicas of a strategy."""
