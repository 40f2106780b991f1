# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.keras.applications.dense import DenseNet121 as DenseNet121
from sluice.keras.applications.dense import DenseNet169 as DenseNet169
from sluice.keras.applications.dense import DenseNet201 as DenseNet201
from sluice.keras.applications.residual_inception import InceptionResNetV2 as InceptionResNetV2
from sluice.keras.applications.inception import InceptionV3 as InceptionV3
from sluice.keras.applications.mobile import MobileNet as MobileNet
from sluice.keras.applications.mobile import MobileNetV2 as MobileNetV2
from sluice.keras.applications.searched import NASNetLarge as NASNetLarge
from sluice.keras.applications.searched import NASNetMobile as NASNetMobile
from sluice.keras.applications.residual import ResNet101 as ResNet101
from sluice.keras.applications.residual import ResNet101V2 as ResNet101V2
from sluice.keras.applications.residual import ResNet152 as ResNet152
from sluice.keras.applications.residual import ResNet152V2 as ResNet152V2
from sluice.keras.applications.residual import ResNet50 as ResNet50
from sluice.keras.applications.residual import ResNet50V2 as ResNet50V2
from sluice.keras.applications.vgg import VGG16 as VGG16
from sluice.keras.applications.vgg import VGG19 as VGG19
from sluice.keras.applications.separable import Xception as Xception
from sluice.groups import keras_applications_densenet as _keras_applications_densenet
densenet = _keras_applications_densenet
from sluice.groups import keras_applications_imagenet_utils as _keras_applications_imagenet_utils
imagenet_utils = _keras_applications_imagenet_utils
from sluice.groups import keras_applications_inception_resnet_v2 as _keras_applications_inception_resnet_v2
inception_resnet_v2 = _keras_applications_inception_resnet_v2
from sluice.groups import keras_applications_inception_v3 as _keras_applications_inception_v3
inception_v3 = _keras_applications_inception_v3
from sluice.groups import keras_applications_mobilenet as _keras_applications_mobilenet
mobilenet = _keras_applications_mobilenet
from sluice.groups import keras_applications_mobilenet_v2 as _keras_applications_mobilenet_v2
mobilenet_v2 = _keras_applications_mobilenet_v2
from sluice.groups import keras_applications_nasnet as _keras_applications_nasnet
nasnet = _keras_applications_nasnet
from sluice.groups import keras_applications_resnet as _keras_applications_resnet
resnet = _keras_applications_resnet
from sluice.groups import keras_applications_resnet50 as _keras_applications_resnet50
resnet50 = _keras_applications_resnet50
from sluice.groups import keras_applications_resnet_v2 as _keras_applications_resnet_v2
resnet_v2 = _keras_applications_resnet_v2
from sluice.groups import keras_applications_vgg16 as _keras_applications_vgg16
vgg16 = _keras_applications_vgg16
from sluice.groups import keras_applications_vgg19 as _keras_applications_vgg19
vgg19 = _keras_applications_vgg19
from sluice.groups import keras_applications_xception as _keras_applications_xception
xception = _keras_applications_xception
