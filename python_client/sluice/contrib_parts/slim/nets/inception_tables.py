# SPDX-License-Identifier: Apache-2.0
"""The layers of the Inception nets.

A line is a layer, or branches whose outputs are joined: tables.py says what their texts mean. Of
"a & b" both have the same input, and their outputs are joined.
"""

V1 = """
Conv2d_1a_7x7  | 7x7/2 64
MaxPool_2a_3x3 | max 3x3/2
Conv2d_2b_1x1  | 1x1 64
Conv2d_2c_3x3  | 3x3 192
MaxPool_3a_3x3 | max 3x3/2
Mixed_3b | 1x1 64  | 1x1 96, 3x3 128  | 1x1 16, 3x3 32                  | max 3x3, 1x1 32
Mixed_3c | 1x1 128 | 1x1 128, 3x3 192 | 1x1 32, 3x3 96                  | max 3x3, 1x1 64
MaxPool_4a_3x3 | max 3x3/2
Mixed_4b | 1x1 192 | 1x1 96, 3x3 208  | 1x1 16, 3x3 48                  | max 3x3, 1x1 64
Mixed_4c | 1x1 160 | 1x1 112, 3x3 224 | 1x1 24, 3x3 64                  | max 3x3, 1x1 64
Mixed_4d | 1x1 128 | 1x1 128, 3x3 256 | 1x1 24, 3x3 64                  | max 3x3, 1x1 64
Mixed_4e | 1x1 112 | 1x1 144, 3x3 288 | 1x1 32, 3x3 64                  | max 3x3, 1x1 64
Mixed_4f | 1x1 256 | 1x1 160, 3x3 320 | 1x1 32, 3x3 128                 | max 3x3, 1x1 128
MaxPool_5a_2x2 | max 2x2/2
Mixed_5b | 1x1 256 | 1x1 160, 3x3 320 | 1x1 32, Conv2d_0a_3x3: 3x3 128  | max 3x3, 1x1 128
Mixed_5c | 1x1 384 | 1x1 192, 3x3 384 | 1x1 48, 3x3 128                 | max 3x3, 1x1 128
"""
# Before them, the first layer is a separable convolution.
V2 = """
MaxPool_2a_3x3 | max 3x3/2
Conv2d_2b_1x1  | 1x1 64 ~.1
Conv2d_2c_3x3  | 3x3 192
MaxPool_3a_3x3 | max 3x3/2
Mixed_3b | 1x1 64  | 1x1 64 ~.09, 3x3 64   | 1x1 64 ~.09, 3x3 96, 3x3 96   | avg 3x3, 1x1 32 ~.1
Mixed_3c | 1x1 64  | 1x1 64 ~.09, 3x3 96   | 1x1 64 ~.09, 3x3 96, 3x3 96   | avg 3x3, 1x1 64 ~.1
Mixed_4a | 1x1 128 ~.09, 3x3/2 160 | 1x1 64 ~.09, 3x3 96, 3x3/2 96 | max 3x3/2
Mixed_4b | 1x1 224 | 1x1 64 ~.09, 3x3 96   | 1x1 96 ~.09, 3x3 128, 3x3 128 | avg 3x3, 1x1 128 ~.1
Mixed_4c | 1x1 192 | 1x1 96 ~.09, 3x3 128  | 1x1 96 ~.09, 3x3 128, 3x3 128 | avg 3x3, 1x1 128 ~.1
Mixed_4d | 1x1 160 | 1x1 128 ~.09, 3x3 160 | 1x1 128 ~.09, 3x3 160, 3x3 160 | avg 3x3, 1x1 96 ~.1
Mixed_4e | 1x1 96  | 1x1 128 ~.09, 3x3 192 | 1x1 160 ~.09, 3x3 192, 3x3 192 | avg 3x3, 1x1 96 ~.1
Mixed_5a | 1x1 128 ~.09, 3x3/2 192 | 1x1 192 ~.09, 3x3 256, 3x3/2 256 | max 3x3/2
Mixed_5b | 1x1 352 | 1x1 192 ~.09, 3x3 320 | 1x1 160 ~.09, 3x3 224, 3x3 224 | avg 3x3, 1x1 128 ~.1
Mixed_5c | 1x1 352 | 1x1 192 ~.09, 3x3 320 | 1x1 192 ~.09, 3x3 224, 3x3 224 | max 3x3, 1x1 128 ~.1
"""
_SEVENS = """\
Mixed_6{} | 1x1 192 | 1x1 {n}, 1x7 {n}, 7x1 192 | 1x1 {n}, 7x1 {n}, 1x7 {n}, 7x1 {n}, 1x7 192 \
| avg 3x3, 1x1 192
"""
V3 = f"""
Conv2d_1a_3x3  | 3x3/2v 32
Conv2d_2a_3x3  | 3x3v 32
Conv2d_2b_3x3  | 3x3 64
MaxPool_3a_3x3 | max 3x3/2v
Conv2d_3b_1x1  | 1x1v 80
Conv2d_4a_3x3  | 3x3v 192
MaxPool_5a_3x3 | max 3x3/2v
Mixed_5b | 1x1 64 | 1x1 48, 5x5 64 | 1x1 64, 3x3 96, 3x3 96 | avg 3x3, 1x1 32
Mixed_5c | 1x1 64 | Conv2d_0b_1x1: 1x1 48, Conv_1_0c_5x5: 5x5 64 | 1x1 64, 3x3 96, 3x3 96 \
| avg 3x3, 1x1 64
Mixed_5d | 1x1 64 | 1x1 48, 5x5 64 | 1x1 64, 3x3 96, 3x3 96 | avg 3x3, 1x1 64
Mixed_6a | Conv2d_1a_1x1: 3x3/2v 384 | 1x1 64, 3x3 96, Conv2d_1a_1x1: 3x3/2v 96 | max 3x3/2v
{_SEVENS.format("b", n=128)}{_SEVENS.format("c", n=160)}{_SEVENS.format("d", n=160)}\
{_SEVENS.format("e", n=192)}\
Mixed_7a | 1x1 192, 3x3/2v 320 | 1x1 192, 1x7 192, 7x1 192, 3x3/2v 192 | max 3x3/2v
Mixed_7b | 1x1 320 | 1x1 384, 1x3 384 & Conv2d_0b_3x1: 3x1 384 \
| 1x1 448, 3x3 384, 1x3 384 & 3x1 384 | avg 3x3, 1x1 192
Mixed_7c | 1x1 320 | 1x1 384, 1x3 384 & 3x1 384 \
| 1x1 448, 3x3 384, 1x3 384 & 3x1 384 | avg 3x3, 1x1 192
"""
