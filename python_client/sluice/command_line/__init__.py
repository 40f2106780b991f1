# SPDX-License-Identifier: Apache-2.0
"""The command line of a program: its flags, and how it begins."""
