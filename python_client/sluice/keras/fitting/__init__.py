# SPDX-License-Identifier: Apache-2.0
"""What training takes: losses, metrics, optimizers and callbacks."""
