# SPDX-License-Identifier: Apache-2.0
"""Generators that learn from a second net, as people write them with tf.layers."""

import numpy as np

ONLY_1X = True


def _images(count, size=8):
    rng = np.random.RandomState(0)
    return rng.uniform(-1, 1, (count, size, size, 1)).astype(np.float32)


def _started(tf):
    session = tf.Session()
    session.run(tf.global_variables_initializer())
    return session


def _seed(tf, number):
    return tf.truncated_normal_initializer(stddev=0.1, seed=number)


def a_deep_convolutional_gan(tf):
    def generator(z, training, reuse=False):
        with tf.variable_scope("generator", reuse=reuse):
            h = tf.layers.dense(z, 2 * 2 * 8, kernel_initializer=_seed(tf, 1))
            h = tf.reshape(h, [-1, 2, 2, 8])
            h = tf.nn.relu(tf.layers.batch_normalization(h, training=training))
            h = tf.layers.conv2d_transpose(
                h, 4, 5, 2, "same", use_bias=False, kernel_initializer=_seed(tf, 2)
            )
            h = tf.nn.relu(tf.layers.batch_normalization(h, training=training, momentum=0.9))
            h = tf.layers.conv2d_transpose(h, 1, 5, 2, "same", kernel_initializer=_seed(tf, 3))
            return tf.tanh(h)

    def discriminator(x, training, reuse=False):
        with tf.variable_scope("discriminator", reuse=reuse):
            h = tf.layers.conv2d(x, 4, 5, 2, "same", kernel_initializer=_seed(tf, 4))
            h = tf.nn.leaky_relu(h)
            h = tf.layers.conv2d(h, 8, 5, 2, "same", kernel_initializer=_seed(tf, 5))
            h = tf.nn.leaky_relu(tf.layers.batch_normalization(h, training=training))
            return tf.layers.dense(tf.layers.flatten(h), 1, kernel_initializer=_seed(tf, 6))

    real = tf.placeholder(tf.float32, [None, 8, 8, 1], "real")
    z = tf.placeholder(tf.float32, [None, 6], "z")
    training = tf.placeholder_with_default(True, [], "training")
    fake = generator(z, training)
    real_logits = discriminator(real, training)
    fake_logits = discriminator(fake, training, reuse=True)
    cross = tf.nn.sigmoid_cross_entropy_with_logits
    d_loss = tf.reduce_mean(cross(logits=real_logits, labels=tf.ones_like(real_logits) * 0.9))
    d_loss += tf.reduce_mean(cross(logits=fake_logits, labels=tf.zeros_like(fake_logits)))
    g_loss = tf.reduce_mean(cross(logits=fake_logits, labels=tf.ones_like(fake_logits)))
    every = tf.trainable_variables()
    g_vars = [v for v in every if v.name.startswith("generator")]
    d_vars = [v for v in every if v.name.startswith("discriminator")]
    with tf.control_dependencies(tf.get_collection(tf.GraphKeys.UPDATE_OPS)):
        d_step = tf.train.AdamOptimizer(2e-3, beta1=0.5).minimize(d_loss, var_list=d_vars)
        g_step = tf.train.AdamOptimizer(2e-3, beta1=0.5).minimize(g_loss, var_list=g_vars)
    rng = np.random.RandomState(1)
    found = []
    with _started(tf) as session:
        for _ in range(3):
            feed = {real: _images(4), z: rng.uniform(-1, 1, (4, 6))}
            found.append(session.run([d_step, d_loss], feed)[1])
            found.append(session.run([g_step, g_loss], feed)[1])
        sample = session.run(fake, {z: rng.uniform(-1, 1, (2, 6)), training: False})
    return [found, sample.shape, [v.name for v in tf.global_variables()]]


def a_wasserstein_gan_with_gradient_penalty(tf):
    def critic(x, reuse):
        with tf.variable_scope("critic", reuse=reuse):
            h = tf.layers.dense(x, 16, tf.nn.leaky_relu, kernel_initializer=_seed(tf, 1))
            h = tf.layers.dense(h, 16, tf.nn.leaky_relu, kernel_initializer=_seed(tf, 2))
            return tf.layers.dense(h, 1, kernel_initializer=_seed(tf, 3))

    def generator(z):
        with tf.variable_scope("gen"):
            h = tf.layers.dense(z, 16, tf.nn.elu, kernel_initializer=_seed(tf, 4))
            return tf.layers.dense(h, 2, kernel_initializer=_seed(tf, 5))

    real = tf.placeholder(tf.float32, [5, 2])
    z = tf.placeholder(tf.float32, [5, 3])
    alpha = tf.placeholder(tf.float32, [5, 1])
    fake = generator(z)
    d_real, d_fake = critic(real, False), critic(fake, True)
    wasserstein = tf.reduce_mean(d_fake) - tf.reduce_mean(d_real)
    mixed = alpha * real + (1 - alpha) * fake
    (gradient,) = tf.gradients(critic(mixed, True), [mixed])
    slopes = tf.sqrt(tf.reduce_sum(tf.square(gradient), axis=[1]) + 1e-12)
    penalty = tf.reduce_mean((slopes - 1.0) ** 2)
    d_loss, g_loss = wasserstein + 10 * penalty, -tf.reduce_mean(d_fake)
    scope = tf.get_collection
    keys = tf.GraphKeys.TRAINABLE_VARIABLES
    d_step = tf.train.RMSPropOptimizer(1e-3).minimize(d_loss, var_list=scope(keys, "critic"))
    g_step = tf.train.RMSPropOptimizer(1e-3).minimize(g_loss, var_list=scope(keys, "gen"))
    rng = np.random.RandomState(2)
    found = []
    with _started(tf) as session:
        for _ in range(3):
            for _ in range(2):
                feed = {real: rng.normal(size=(5, 2)), z: rng.normal(size=(5, 3)),
                        alpha: rng.uniform(size=(5, 1))}  # fmt: skip
                found.append(session.run([d_loss, penalty, d_step], feed)[:2])
            found.append(session.run([g_loss, g_step], feed)[0])
    return found


def a_variational_autoencoder_of_keras(tf):
    keras, backend = tf.keras, tf.keras.backend
    inputs = keras.Input((12,), name="encoder_input")
    x = keras.layers.Dense(
        8, activation="relu", kernel_initializer=keras.initializers.he_normal(1)
    )(inputs)
    mean = keras.layers.Dense(
        2, name="z_mean", kernel_initializer=keras.initializers.glorot_uniform(2)
    )(x)
    log_variance = keras.layers.Dense(
        2, name="z_log_var", kernel_initializer=keras.initializers.glorot_uniform(3)
    )(x)

    def sampling(args):
        mean, log_variance = args
        batch, dim = backend.shape(mean)[0], backend.int_shape(mean)[1]
        epsilon = backend.random_normal(shape=(batch, dim), seed=7)
        return mean + backend.exp(0.5 * log_variance) * epsilon

    z = keras.layers.Lambda(sampling, output_shape=(2,), name="z")([mean, log_variance])
    encoder = keras.Model(inputs, [mean, log_variance, z], name="encoder")
    latent = keras.Input((2,), name="z_sampling")
    h = keras.layers.Dense(
        8, activation="relu", kernel_initializer=keras.initializers.he_normal(4)
    )(latent)
    outputs = keras.layers.Dense(
        12, activation="sigmoid", kernel_initializer=keras.initializers.glorot_uniform(5)
    )(h)
    decoder = keras.Model(latent, outputs, name="decoder")
    outputs = decoder(encoder(inputs)[2])
    vae = keras.Model(inputs, outputs, name="vae")
    reconstruction = keras.losses.binary_crossentropy(inputs, outputs) * 12
    divergence = 1 + log_variance - backend.square(mean) - backend.exp(log_variance)
    divergence = backend.sum(divergence, axis=-1) * -0.5
    vae.add_loss(backend.mean(reconstruction + divergence))
    vae.compile(optimizer="adam")
    data = np.random.RandomState(3).uniform(size=(16, 12)).astype(np.float32)
    history = vae.fit(data, epochs=3, batch_size=4, shuffle=False, verbose=0)
    found = {k: [float(v) for v in values] for k, values in history.history.items()}
    return [found, encoder.predict(data)[0], decoder.predict(np.zeros((1, 2)))]
