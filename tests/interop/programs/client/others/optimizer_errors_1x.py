# SPDX-License-Identifier: Apache-2.0
"""What optimizers say of programs that give them nothing to do."""

from interop.programs.client._outcomes import says

ONLY_1X = True


def nothing_to_do(tf):
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    v = tf.get_variable("v", initializer=[1.0, 2.0])
    whole = tf.get_variable("whole", initializer=[1, 2])
    return [
        says("No gradients provided for any variable, check", optimizer.minimize, tf.constant(5.0)),
        says("No gradients provided for any variable: [", optimizer.apply_gradients, [(None, v)]),
        says("No variables provided.", optimizer.apply_gradients, []),
        says("No variables to optimize.", optimizer.minimize, v * 2.0, var_list=[]),
        says("Invalid type tf.int32", optimizer.minimize, tf.reduce_sum(whole), var_list=[whole]),
        says("Must specify the optimizer name", tf.train.Optimizer, False, None),
        says("gate_gradients must be one of", optimizer.compute_gradients, v, gate_gradients=7),
    ]
