# SPDX-License-Identifier: Apache-2.0
"""The configuration of TensorBoard's projector: messages, and the file that it reads."""

import os

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format

from ...files import gfile

_PACKAGE = "sluice.projector"
# Message -> its fields in the order of their numbers: name, type, whether there are several.
_MESSAGES = {
    "SpriteMetadata": [("image_path", "string", False), ("single_image_dim", "uint32", True)],
    "EmbeddingInfo": [
        ("tensor_name", "string", False),
        ("metadata_path", "string", False),
        ("bookmarks_path", "string", False),
        ("tensor_shape", "uint32", True),
        ("sprite", "SpriteMetadata", False),
        ("tensor_path", "string", False),
    ],
    "ProjectorConfig": [
        ("model_checkpoint_path", "string", False),
        ("embeddings", "EmbeddingInfo", True),
        ("model_checkpoint_dir", "string", False),
    ],
}


def _classes():
    field_kind = descriptor_pb2.FieldDescriptorProto
    scalars = {"string": field_kind.TYPE_STRING, "uint32": field_kind.TYPE_UINT32}
    file = descriptor_pb2.FileDescriptorProto(
        name="sluice_projector.proto", package=_PACKAGE, syntax="proto3"
    )
    for name, fields in _MESSAGES.items():
        message = file.message_type.add(name=name)
        for number, (field, kind, several) in enumerate(fields, 1):
            message.field.add(
                name=field,
                number=number,
                type=scalars.get(kind, field_kind.TYPE_MESSAGE),
                label=field_kind.LABEL_REPEATED if several else field_kind.LABEL_OPTIONAL,
                type_name=None if kind in scalars else f".{_PACKAGE}.{kind}",
            )
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(file.SerializeToString())
    if hasattr(message_factory, "GetMessageClass"):
        make = message_factory.GetMessageClass
    else:  # one factory for all messages: it makes each class once
        make = message_factory.MessageFactory(pool).GetPrototype
    return [make(pool.FindMessageTypeByName(f"{_PACKAGE}.{name}")) for name in _MESSAGES]


SpriteMetadata, EmbeddingInfo, ProjectorConfig = _classes()
EmbeddingMetadata = EmbeddingInfo  # older name


def visualize_embeddings(summary_writer, config):
    """Writes the file that tells TensorBoard's projector which variables are embeddings.

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


__all__ = ["EmbeddingInfo", "EmbeddingMetadata", "ProjectorConfig", "SpriteMetadata",
           "visualize_embeddings"]  # fmt: skip
