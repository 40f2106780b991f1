# SPDX-License-Identifier: Apache-2.0
"""Networks of images with hundreds of layers. TensorFlow 1.15 takes minutes to build them, so what
it built is recorded here."""

import json
import zlib

import pytest
import sluice as sl

# name, side of the images, parameters, and the CRC-32 of what layers() returned for TensorFlow.
NETWORKS = [
    ("InceptionResNetV2", 75, 55873736, 448054360),
    ("NASNetLarge", 32, 88949818, 1877876655),
    ("NASNetMobile", 32, 5326716, 189023961),
]


def layers(model):
    """Class, name and output shape of each layer, and the names of the layers before it."""
    rows = zip(model.layers, model.get_config()["layers"])
    return [
        [type(layer).__name__, layer.name, layer.output_shape,
         [tensor[0] for node in row["inbound_nodes"] for tensor in node]]
        for layer, row in rows
    ]  # fmt: skip


@pytest.mark.parametrize("name, side, parameters, layers_crc", NETWORKS)
def test_networks_have_the_layers_of_tensorflow(name, side, parameters, layers_crc):
    with sl.Graph().as_default():
        network = getattr(sl.keras.applications, name)
        model = network(weights=None, input_shape=(side, side, 3))
        assert model.count_params() == parameters
        assert zlib.crc32(json.dumps(layers(model)).encode()) == layers_crc


def test_smaller_images_are_refused():
    with sl.Graph().as_default(), pytest.raises(ValueError, match="at least 75x75"):
        sl.keras.applications.InceptionResNetV2(weights=None, input_shape=(74, 74, 3))


def test_without_the_last_layers_features_are_pooled():
    with sl.Graph().as_default():
        model = sl.keras.applications.NASNetMobile(
            weights=None, input_shape=(32, 32, 3), include_top=False, pooling="avg"
        )
        assert model.output_shape == (None, 1056)
        assert model.name == "NASNet"
