# SPDX-License-Identifier: Apache-2.0
"""Queues, accumulators, staging areas, readers and arrays of tensors."""
