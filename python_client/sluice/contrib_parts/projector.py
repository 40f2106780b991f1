# SPDX-License-Identifier: Apache-2.0
"""The file by which TensorBoard's projector finds embeddings, as contrib writes it."""

import os

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

from .. import gfile, messages, modules

_DOC = """A message of the projector.

Args:
    fields: Values of fields, by their names.
"""
_FIELDS = {
    "SpriteMetadata": "image_path:s single_image_dim:u*",
    "EmbeddingInfo": "tensor_name:s metadata_path:s bookmarks_path:s tensor_shape:u*"
    " sprite:SpriteMetadata tensor_path:s",
    "ProjectorConfig": "model_checkpoint_path:s embeddings:EmbeddingInfo* model_checkpoint_dir:s",
}
_KINDS = {"s": descriptor_pb2.FieldDescriptorProto.TYPE_STRING,
          "u": descriptor_pb2.FieldDescriptorProto.TYPE_UINT32}  # fmt: skip


def _load():
    """The classes of the messages, by their names."""
    file = descriptor_pb2.FileDescriptorProto(
        name="sluice/projector.proto", package="sluice.projector", syntax="proto3"
    )
    for name, row in _FIELDS.items():
        message = file.message_type.add(name=name)
        for number, entry in enumerate(row.split(), 1):
            field, _, kind = entry.partition(":")
            repeated, kind = kind.endswith("*"), kind.rstrip("*")
            added = message.field.add(name=field, number=number, label=3 if repeated else 1)
            if kind in _KINDS:
                added.type = _KINDS[kind]
            else:
                added.type = descriptor_pb2.FieldDescriptorProto.TYPE_MESSAGE
                added.type_name = f".sluice.projector.{kind}"
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    make = getattr(message_factory, "GetMessageClass", None)
    make = make or message_factory.MessageFactory(pool).GetPrototype
    found = {name: make(pool.FindMessageTypeByName(f"sluice.projector.{name}")) for name in _FIELDS}
    for cls in found.values():
        cls.__module__, cls.__doc__, cls.__signature__ = __name__, _DOC, messages.SIGNATURE
    return found


_CLASSES = _load()
globals().update(_CLASSES)


def visualize_embeddings(summary_writer, config):
    """Writes the file projector_config.pbtxt, which TensorBoard's projector reads.

    Args:
        summary_writer: A FileWriter, whose folder gets the file.
        config: A ProjectorConfig.

    Raises:
        ValueError: The writer has no folder.
    """
    folder = summary_writer.get_logdir()
    if folder is None:
        raise ValueError("Summary writer must have a logdir")
    with gfile.GFile(os.path.join(folder, "projector_config.pbtxt"), "w") as file:
        file.write(text_format.MessageToString(config))


projector = modules.make(
    "contrib.tensorboard.plugins.projector",
    "The file by which TensorBoard's projector finds embeddings.",
    {**_CLASSES, "visualize_embeddings": visualize_embeddings},
)
plugins = modules.make(
    "contrib.tensorboard.plugins", "Plugins of TensorBoard.", {"projector": projector}
)
module = modules.make("contrib.tensorboard", "What TensorBoard reads.", {"plugins": plugins})
MODULES = (module, plugins, projector)
