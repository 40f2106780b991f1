# SPDX-License-Identifier: Apache-2.0
"""Functions of the graph, and the conditionals and loops whose bodies they are."""
