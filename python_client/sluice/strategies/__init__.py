# SPDX-License-Identifier: Apache-2.0
"""Distribution strategies: replicas of a computation on several devices and tasks."""
