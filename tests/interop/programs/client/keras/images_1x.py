# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of images, well-known networks of images, and what Keras calls experimental."""

import numpy as np

ONLY_1X = True  # later TensorFlows have another Keras


def _data(*shape):
    return np.cos(np.arange(np.prod(shape))).reshape(shape).astype(np.float32)


def _given(model):
    model.set_weights([0.3 * _data(*w.shape) for w in model.get_weights()])


def recurrent(tf):
    """Variables, outputs and configurations of ConvLSTM2D, then losses of training."""
    layer, found = tf.keras.layers.ConvLSTM2D, []
    made = [
        lambda: layer(3, 3), lambda: layer(2, (3, 2), strides=(2, 1), return_sequences=True),
        lambda: layer(2, 3, padding="same", recurrent_activation="sigmoid", use_bias=False),
        lambda: layer(2, 2, dilation_rate=2, go_backwards=True, unit_forget_bias=False),
    ]  # fmt: skip
    for make in made:
        with tf.Graph().as_default():
            x, one = tf.keras.layers.Input((3, 6, 5, 2)), make()
            model = tf.keras.Model(x, one(x))
            first = [w.shape for w in model.get_weights()]
            _given(model)
            model.compile("sgd", "mse")
            y = model.predict(_data(2, 3, 6, 5, 2))
            losses = model.fit(_data(2, 3, 6, 5, 2), y + 1.0, epochs=2, verbose=0).history
            names = [v.name for v in model.weights]
            found.append([names, first, y, losses, one.get_config(), model.output_shape])
    return found


def dropped(tf):
    """Dropout of the input and of the state, from the seed of NumPy."""
    found = []
    for make in (
        lambda k: k.LSTM(3, dropout=0.3, recurrent_dropout=0.2), lambda k: k.GRU(3, dropout=0.5),
        lambda k: k.ConvLSTM2D(2, 2, dropout=0.3, recurrent_dropout=0.4),
    ):  # fmt: skip
        with tf.Graph().as_default():
            np.random.seed(3)
            tf.set_random_seed(3)
            shape = (2, 4, 3) if len(found) < 2 else (2, 4, 5, 5, 1)
            x = tf.keras.layers.Input(shape[1:])
            model = tf.keras.Model(x, make(tf.keras.layers)(x))
            _given(model)
            model.compile("sgd", "mse")
            found.append(model.train_on_batch(_data(*shape), np.zeros(model.predict(
                _data(*shape)).shape)))  # fmt: skip
    return [float(loss) for loss in found]


def _described(model):
    """Class, name and shapes of each layer."""
    return [
        [type(layer).__name__, layer.name, [w.shape.as_list() for w in layer.weights],
         str(layer.output_shape)]
        for layer in model.layers
    ]  # fmt: skip


def networks(tf):
    """Layers of networks without their last layers, and of two with them."""
    found, networks = {}, tf.keras.applications
    for name in ("VGG16", "ResNet50V2", "MobileNetV2"):
        with tf.Graph().as_default():
            model = getattr(networks, name)(
                weights=None, include_top=False, input_shape=(96, 96, 3), pooling="avg"
            )
            found[name] = [_described(model), model.name]
    with tf.Graph().as_default():
        model = networks.MobileNet(weights=None, alpha=0.25, input_shape=(64, 64, 3), classes=7)
        found["small"] = [_described(model), model.name]
        model.set_weights([
            np.abs(value) + 0.5 if "variance" in v.name else value
            for v, value in zip(model.weights, [0.3 * _data(*w.shape) for w in model.get_weights()])
        ])  # fmt: skip
        found["predicted"] = model.predict(_data(1, 64, 64, 3))
    return found


def branches(tf):
    """Layers of networks with branches."""
    found, networks = {}, tf.keras.applications
    with tf.Graph().as_default():
        model = networks.InceptionV3(weights=None, input_shape=(96, 96, 3), classes=5)
        found["InceptionV3"] = [_described(model), model.name]
    return found


def pixels(tf):
    """Pixels as networks expect them, of arrays and tensors."""
    networks, found = tf.keras.applications, []
    images = 255 * np.abs(_data(2, 3, 4, 3))
    for module in ("vgg16", "resnet_v2", "densenet", "mobilenet", "imagenet_utils"):
        scaled = getattr(networks, module).preprocess_input
        found += [scaled(images.copy()), scaled(images.astype(np.uint8)), scaled(images[0].copy())]
    with tf.Session() as session:
        found.append(session.run(networks.vgg16.preprocess_input(tf.constant(images))))
    return found


def experimental(tf):
    """Learning rates, and the cell with peepholes."""
    rates, found = tf.keras.experimental, []
    schedules = [
        rates.CosineDecay(0.1, 10, alpha=0.1), rates.CosineDecayRestarts(0.1, 4, m_mul=0.9),
        rates.LinearCosineDecay(0.1, 10),
    ]  # fmt: skip
    with tf.Session() as session:
        for schedule in schedules:
            found.append([session.run(schedule(tf.constant(n))) for n in (0, 3, 9, 12)])
            found.append(schedule.get_config())
    with tf.Graph().as_default():
        x = tf.keras.layers.Input((4, 3))
        model = tf.keras.Model(x, tf.keras.layers.RNN(rates.PeepholeLSTMCell(2))(x))
        _given(model)
        found += [[v.name for v in model.weights], model.predict(_data(2, 4, 3))]
    return found
