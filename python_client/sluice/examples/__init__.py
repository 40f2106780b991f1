# SPDX-License-Identifier: Apache-2.0
"""What programs import from TensorFlow's examples: the reader of the MNIST images."""
