# SPDX-License-Identifier: Apache-2.0
"""Sessions around sessions, as monitored sessions of TensorFlow's sources are put together."""

import importlib

from interop.programs.client._outcomes import outcome

ONLY_1X = True


def _module(tf):
    root = "tensorflow" if tf.__name__.startswith("tensorflow") else tf.__name__
    return importlib.import_module(f"{root}.python.training.monitored_session")


def sessions_that_pass_on(tf):
    module, c = _module(tf), tf.constant(3.0)
    outer = module._WrappedSession(tf.Session())
    found = [outer.run(c), outer.should_stop(), outer.graph is tf.get_default_graph()]
    outer.close()
    outer.close()
    found.append(outer.should_stop())

    class Stopping(module._WrappedSession):
        stops = False

        def _check_stop(self):
            return self.stops

    inner = Stopping(tf.Session())
    outer = module._WrappedSession(inner)
    found.append(outer.should_stop())
    inner.stops = True
    step = outer.run_step_fn(lambda context: context.session.run(c), tf.Session(), None)
    return [*found, outer.should_stop(), step]


def sessions_with_threads(tf):
    module, c = _module(tf), tf.constant(3.0)
    coord = tf.train.Coordinator()
    session = module._CoordinatedSession(tf.Session(), coord)
    found = [session.run(c), session.should_stop()]
    coord.request_stop()
    found.append(session.should_stop())
    session.close()
    coord = tf.train.Coordinator()
    session = module._CoordinatedSession(tf.Session(), coord)
    try:
        with coord.stop_on_exception():
            raise ValueError("of a thread")
    except ValueError:
        found.append("raised at once")
    return [*found, outcome(session.should_stop), outcome(session.run, "none"),
            outcome(session.close), session._sess is None]  # fmt: skip


def sessions_that_are_made_again(tf):
    module, c, made = _module(tf), tf.constant(3.0), []

    class Lost:
        graph = tf.get_default_graph()

        def run(self, fetches, feed_dict=None, options=None, run_metadata=None):
            if len(made) < 3:
                raise tf.errors.AbortedError(None, None, "a task is lost")
            return tf.Session().run(fetches)

        def close(self):
            raise tf.errors.UnavailableError(None, None, "a task is lost")

    class Creator(tf.train.SessionCreator):
        def create_session(self):
            made.append(1)
            return Lost()

    session = module._RecoverableSession(Creator())
    found = [session.run(c), len(made), outcome(session.run, "none")]
    session.close()
    found += [session.should_stop(), session.run(c), len(made)]
    return [*found, [e.__name__ for e in module._PREEMPTION_ERRORS]]
