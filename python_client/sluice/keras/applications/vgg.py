# SPDX-License-Identifier: Apache-2.0
"""VGG (Simonyan and Zisserman, 2014): convolutions of 3 x 3."""

from ..layers.adopted import Conv2D, Dense, Flatten, MaxPooling2D
from .network import application


def _body(depths):
    def body(x):
        for block, depth in enumerate(depths, 1):
            for number in range(1, depth + 1):
                x = Conv2D(min(32 << block, 512), 3, padding="same", activation="relu",
                           name=f"block{block}_conv{number}")(x)  # fmt: skip
            x = MaxPooling2D(2, 2, name=f"block{block}_pool")(x)
        return x

    return body


def _top(x, classes):
    x = Flatten(name="flatten")(x)
    for name in ("fc1", "fc2"):
        x = Dense(4096, activation="relu", name=name)(x)
    return Dense(classes, activation="softmax", name="predictions")(x)


VGG16 = application(__name__, "VGG16", "vgg16", _body((2, 2, 3, 3, 3)), _top, 224, 32)
VGG19 = application(__name__, "VGG19", "vgg19", _body((2, 2, 4, 4, 4)), _top, 224, 32)
