# SPDX-License-Identifier: Apache-2.0
"""Models of Keras in checkpoints, what callbacks write, and what preprocessing makes."""

import os

import numpy as np
import pytest
import sluice as sl


@pytest.fixture(autouse=True)
def own_graph():
    with sl.Graph().as_default(), sl.Session():
        yield


def _model():
    layers = sl.keras.layers
    model = sl.keras.Sequential([layers.Dense(3, input_shape=(2,)), layers.Dense(1)])
    model.compile(sl.keras.optimizers.Adam(0.1), "mse")
    return model


X, Y = np.ones((4, 2), np.float32), np.zeros((4, 1), np.float32)


def test_checkpoint_restores_slots_that_are_made_later(tmp_path):
    model, other = _model(), _model()
    model.fit(X, Y, verbose=0)
    model.save_weights(tmp_path / "model")
    other.load_weights(tmp_path / "model")
    for one in (model, other):
        one.fit(X, Y, verbose=0)
    for mine, its in zip(model.get_weights(), other.get_weights()):
        np.testing.assert_allclose(mine, its, rtol=1e-6)
    assert sl.train.latest_checkpoint(str(tmp_path)) == str(tmp_path / "model")


def test_checkpoint_of_another_model_is_refused(tmp_path):
    _model().save_weights(tmp_path / "model")
    variable = sl.Variable(1.0)
    status = sl.train.Checkpoint(v=variable).restore(str(tmp_path / "model"))
    with pytest.raises(AssertionError):
        status.assert_existing_objects_matched()


def test_manager_keeps_the_newest_checkpoints(tmp_path):
    v = sl.Variable(1.0)
    sl.get_default_session().run(v.initializer)
    manager = sl.train.CheckpointManager(sl.train.Checkpoint(v=v), tmp_path, max_to_keep=2)
    paths = [manager.save() for _ in range(3)]
    assert manager.checkpoints == paths[1:] and manager.latest_checkpoint == paths[2]
    assert not os.path.exists(paths[0] + ".index")


def test_layers_of_a_list_that_grows_are_parts_of_the_model():
    class Net(sl.keras.Model):
        def __init__(self):
            super().__init__()
            self.parts = []
            self.last = sl.keras.layers.Dense(1)
            self.parts.append(sl.keras.layers.Dense(2))

        def call(self, inputs):
            return self.last(self.parts[0](inputs))

    net = Net()
    net.build((None, 3))
    assert [v.shape.as_list() for v in net.weights] == [[3, 2], [2], [2, 1], [1]]


def test_tensorboard_writes_values_and_the_graph(tmp_path):
    board = sl.keras.callbacks.TensorBoard(tmp_path, histogram_freq=1)
    _model().fit(X, Y, epochs=2, verbose=0, callbacks=[board], validation_data=(X, Y))
    (name,) = os.listdir(tmp_path)
    events = list(sl.train.summary_iterator(str(tmp_path / name)))
    tags = [(e.step, v.tag) for e in events for v in e.summary.value]
    assert (1, "epoch_loss") in tags
    assert any(tag.startswith("dense/kernel") for _, tag in tags)
    assert any(e.graph_def for e in events)


def test_sequences_are_padded_and_cut():
    found = sl.keras.preprocessing.sequence.pad_sequences([[1, 2, 3], [4]], maxlen=2)
    assert found.tolist() == [[2, 3], [0, 4]]


def test_tokenizer_numbers_words_by_how_often_they_occur():
    tokenizer = sl.keras.preprocessing.text.Tokenizer(oov_token="?")
    tokenizer.fit_on_texts(["the cat", "The dog"])
    assert tokenizer.texts_to_sequences(["the bird, the dog"]) == [[2, 1, 2, 4]]
    again = sl.keras.preprocessing.text.tokenizer_from_json(tokenizer.to_json())
    assert again.word_index == tokenizer.word_index


def test_optimizers_of_train_train_models():
    model = sl.keras.Sequential([sl.keras.layers.Dense(1, input_shape=(2,))])
    model.compile(sl.train.GradientDescentOptimizer(0.1), "mse")
    losses = model.fit(X, Y, epochs=3, verbose=0).history["loss"]
    assert losses[2] < losses[0]


def test_clone_has_variables_of_its_own():
    model = _model()
    clone = sl.keras.models.clone_model(model)
    clone.set_weights([np.zeros_like(w) for w in clone.get_weights()])
    assert np.any(model.get_weights()[0]) and not np.any(clone.get_weights()[0])


def test_saved_model_goes_on_training(tmp_path):
    model = _model()
    model.fit(X, Y, verbose=0)
    for _ in range(2):  # the second time it replaces the first
        model.save(tmp_path / "model", save_format="tf")
    other = sl.keras.models.load_model(tmp_path / "model")
    for one in (model, other):
        one.fit(X, Y, verbose=0)
    for mine, its in zip(model.get_weights(), other.get_weights()):
        np.testing.assert_allclose(mine, its, rtol=1e-6)


def test_subclass_is_saved_for_serving_only(tmp_path):
    class Net(sl.keras.Model):
        def __init__(self):
            super().__init__()
            self.last = sl.keras.layers.Dense(1)

        def call(self, inputs):
            return self.last(inputs)

    net = Net()
    wanted = net.predict(X)
    export = sl.keras.experimental.export_saved_model
    with pytest.raises(NotImplementedError, match="serving_only"):
        export(net, tmp_path / "net")
    export(net, tmp_path / "net", serving_only=True)
    with sl.Graph().as_default(), sl.Session() as session:
        signature = sl.saved_model.load(session, ["serve"], str(tmp_path / "net")).signature_def
        served = signature["serving_default"]
        (given,), (found,) = served.inputs.values(), served.outputs.values()
        np.testing.assert_allclose(session.run(found.name, {given.name: X}), wanted, rtol=1e-6)
    with pytest.raises(OSError, match="saved_model.json"):
        sl.keras.models.load_model(tmp_path / "net")


def test_networks_say_that_nothing_is_downloaded():
    with pytest.raises(ValueError, match="not downloaded"):
        sl.keras.applications.VGG16()
