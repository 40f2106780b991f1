# SPDX-License-Identifier: Apache-2.0
"""Programs that look into the flags they defined, and define them again."""

ONLY_1X = True


def tables(tf):
    flags = tf.flags.FLAGS
    try:
        tf.flags.DEFINE_integer("rate_of_tables", 3, "A number.")
        tf.flags.DEFINE_string("name_of_tables", None, "A name.")
        flags.mark_as_parsed()
        found = [
            sorted(name for name in flags.__flags if name.endswith("_of_tables")),
            flags.__flags["rate_of_tables"].value,
            flags.get_flag_value("rate_of_tables", 5),
            flags.get_flag_value("name_of_tables", "other"),
        ]
        flags.set_default("rate_of_tables", 7)
        found.append(flags.rate_of_tables)
        return found
    finally:
        for name in [name for name in flags._flags() if name.endswith("_of_tables")]:
            flags.__delattr__(name)


def defined_again(tf):
    return [tables(tf), tables(tf)]
