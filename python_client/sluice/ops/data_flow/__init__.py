"""Queues, accumulators, staging areas, readers and arrays of tensors."""
