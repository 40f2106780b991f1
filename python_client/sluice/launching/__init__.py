# SPDX-License-Identifier: Apache-2.0
"""The processes of a job: which there are, where they run, how they start and end."""
