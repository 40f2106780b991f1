# SPDX-License-Identifier: Apache-2.0
"""Well-known networks of images, with the layers and names of Keras."""

from . import (
    dense,
    imagenet,
    inception,
    mobile,
    residual,
    residual_inception,
    searched,
    separable,
    vgg,
)

_ROWS = (  # module, source, what pixels are, networks
    ("densenet", dense, "torch", "DenseNet121 DenseNet169 DenseNet201"),
    ("inception_resnet_v2", residual_inception, "tf", "InceptionResNetV2"),
    ("inception_v3", inception, "tf", "InceptionV3"),
    ("mobilenet", mobile, "tf", "MobileNet"),
    ("mobilenet_v2", mobile, "tf", "MobileNetV2"),
    ("nasnet", searched, "tf", "NASNetLarge NASNetMobile"),
    ("resnet", residual, "caffe", "ResNet50 ResNet101 ResNet152"),
    ("resnet50", residual, "caffe", "ResNet50"),
    ("resnet_v2", residual, "tf", "ResNet50V2 ResNet101V2 ResNet152V2"),
    ("vgg16", vgg, "caffe", "VGG16"),
    ("vgg19", vgg, "caffe", "VGG19"),
    ("xception", separable, "tf", "Xception"),
)
# module -> its names
NAMES = {
    module: {
        **{name: getattr(source, name) for name in networks.split()},
        "preprocess_input": imagenet.MODES[mode],
        "decode_predictions": imagenet.decode_predictions,
    }
    for module, source, mode, networks in _ROWS
}
NAMES["imagenet_utils"] = {
    "preprocess_input": imagenet.preprocess_input,
    "decode_predictions": imagenet.decode_predictions,
}
NETWORKS = {
    name: thing for names in NAMES.values() for name, thing in names.items() if name[0].isupper()
}
