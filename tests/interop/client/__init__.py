"""Tests of our Python client against TensorFlow's."""
