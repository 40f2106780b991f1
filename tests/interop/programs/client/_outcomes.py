# SPDX-License-Identifier: Apache-2.0
"""Common code of the programs. (It is not a program: the name begins with an underscore.)"""


def outcome(call, *args, **kwargs):
    """The class of the exception that the call raises, or "fine"."""
    try:
        call(*args, **kwargs)
        return "fine"
    except Exception as e:
        return type(e).__name__


def message(call, *args, **kwargs):
    """The text of the exception that the call raises, or "fine"."""
    try:
        call(*args, **kwargs)
        return "fine"
    except Exception as e:
        return str(e)


def says(text, call, *args, **kwargs):
    """The class of the exception that the call raises, and whether its message has the text."""
    try:
        call(*args, **kwargs)
        return "fine"
    except Exception as e:
        return [type(e).__name__, text in str(e)]


def collect(tf, fetches, limit=None, init=True):
    """The values of each run until the input ends."""
    found = []
    with tf.Session() as sess:
        if init:
            sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        coord = tf.train.Coordinator()
        threads = tf.train.start_queue_runners(sess, coord)
        try:
            while not coord.should_stop() and (limit is None or len(found) < limit):
                found.append(sess.run(fetches))
        except tf.errors.OutOfRangeError:
            found.append("end")
        coord.request_stop()
        coord.join(threads)
    return found


def elements(tf, dataset, most=100):
    """The elements of a data set, and "end" if it ends."""
    element = tf.data.make_one_shot_iterator(dataset).get_next()
    found = []
    with tf.Session() as sess:
        try:
            while len(found) < most:
                found.append(sess.run(element))
        except tf.errors.OutOfRangeError:
            found.append("end")
    return found
