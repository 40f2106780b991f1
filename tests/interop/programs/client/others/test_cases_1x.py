# SPDX-License-Identifier: Apache-2.0
"""Test cases of programs: their sessions, threads and assertions."""

import unittest

import numpy as np

ONLY_1X = True


def _results(cls):
    """Which tests of a class pass, fail and raise errors."""
    result = unittest.TestResult()
    names = unittest.TestLoader().getTestCaseNames(cls)
    names.remove("test_session")  # a method of the class
    unittest.TestSuite([cls(name) for name in names]).run(result)
    bad = {}
    for what in ("failures", "errors", "skipped"):
        bad[what] = sorted({case.id().rpartition(".")[2] for case, _ in getattr(result, what)})
    return [sorted(names), bad]


def sessions(tf):
    """test_session() shares a session, session() makes one, evaluate() takes the default one."""

    class Case(tf.test.TestCase):
        def test_shared(self):
            v = tf.get_variable("v", initializer=2.0)
            with self.test_session():
                v.initializer.run()
            with self.test_session() as session:
                self.assertEqual(session.run(v), 2.0)
            self.assertEqual(self.evaluate(v), 2.0)

        def test_of_its_own(self):
            v = tf.get_variable("v", initializer=2.0)
            with self.cached_session():
                v.initializer.run()
            with self.session():
                self.assertEqual(self.evaluate(v), 2.0)

        def test_default(self):
            v = tf.get_variable("v", initializer=2.0)
            with self.session() as session:
                self.evaluate(v.initializer)
                self.assertEqual(session.run(v), 2.0)
                self.assertIs(tf.get_default_session(), session)

        def test_graph(self):
            other = tf.Graph()
            with self.session(graph=other) as session:
                self.assertIs(tf.get_default_graph(), other)
                self.assertIs(session.graph, other)
                self.assertAllEqual(tf.constant([1, 2]), [1, 2])
            with self.test_session(graph=other):
                self.assertIs(tf.get_default_graph(), other)

        def test_devices(self):
            with self.session():
                self.assertEqual(tf.constant(1.0).device, "/device:CPU:0")
            with self.session(use_gpu=True):
                self.assertEqual(tf.constant(1.0).device, "")
            with self.cached_session(use_gpu=False):
                self.assertEqual(tf.constant(1.0).device, "/device:CPU:0")

        def test_another_graph(self):
            with self.cached_session():
                pass
            with self.cached_session(graph=tf.Graph()):
                pass

        def test_another_config(self):
            with self.cached_session():
                pass
            with self.assertRaisesRegex(ValueError, "config used to get the cached session"):
                with self.cached_session(config=tf.ConfigProto()):
                    pass

        def test_soft_placement(self):
            with self.session(use_gpu=True) as session, tf.device("/device:GPU:7"):
                self.assertEqual(session.run(tf.identity(3.0)), 3.0)

    return _results(Case)


def sessions_before_the_test(tf):
    """setUp() of a program may compute tensors before that of the base class runs."""

    class Early(tf.test.TestCase):
        def setUp(self):
            self.three = self.evaluate(tf.constant(3))
            super().setUp()

        def test_value(self):
            self.assertEqual(self.three, 3)
            self.assertEqual(self.evaluate(tf.constant(4)), 4)

    class Without(tf.test.TestCase):
        def setUp(self):
            self.three = 3

        def test_value(self):
            self.assertEqual(self.evaluate(tf.constant(4)), 4)

    return [_results(Early), _results(Without)]


def threads(tf):
    class Case(tf.test.TestCase):
        def test_good(self):
            found = []
            thread = self.checkedThread(target=found.append, args=(3,))
            thread.start()
            thread.join()
            self.assertFalse(thread.is_alive())
            self.assertEqual(found, [3])

        def test_raises(self):
            thread = self.checkedThread(lambda a, b: a / b, (1,), {"b": 0})
            thread.start()
            thread.join()

        def test_not_joined(self):
            self.checkedThread(lambda: None).start()

    return _results(Case)


def assertions(tf):
    class Case(tf.test.TestCase):
        def test_infinities(self):
            self.assertNear(float("inf"), float("inf"), 0.1)

        def test_lists(self):
            self.assertAllClose([np.ones(2), np.ones(3)], [np.ones(2), np.ones(3)])
            self.assertAllClose(((1.0, [2.0]), {"a": 3.0}), ((1.0, [2.0]), {"a": 3.0}))

        def test_lists_differ(self):
            self.assertAllClose([np.ones(2), np.ones(3)], [np.ones(2), np.zeros(3)])

        def test_lengths_differ(self):
            self.assertAllClose([np.ones(2), np.ones(3)], [np.ones(2)])

        def test_close_shapes_differ(self):
            self.assertAllClose(np.ones(2), 1.0)

        def test_equal_shapes_differ(self):
            self.assertAllEqual(np.ones(2), 1.0)

        def test_lists_and_arrays(self):
            self.assertAllClose([[1.0, 2.0]], np.array([[1.0, 2.0]]))
            self.assertAllEqual([[1.0, 2.0]], np.array([[1.0, 2.0]]))

        def test_predicates(self):
            with self.assertRaisesWithPredicateMatch(ValueError, "b+c"):
                raise ValueError("abbc")
            with self.assertRaisesWithPredicateMatch(ValueError, lambda e: "b" in str(e)):
                raise ValueError("abbc")
            with self.cached_session(), self.assertRaisesOpError(lambda e: "bad" in e.message):
                tf.check_numerics(np.nan, "bad").eval()

        def test_another_error(self):
            with self.assertRaisesWithPredicateMatch(ValueError, "a"):
                raise TypeError("a")

        def test_another_text(self):
            with self.assertRaisesWithPredicateMatch(ValueError, "a"):
                raise ValueError("b")

        def test_no_error(self):
            with self.assertRaisesWithPredicateMatch(ValueError, "a"):
                pass

    return _results(Case)
