# Written by python_client/make_stubs.py. Do not edit.
import builtins as _b
from typing import Any as _Any, Callable as _Callable, ContextManager as _ContextManager
from typing import Iterator as _Iterator, Optional as _Optional, Sequence as _Sequence
from typing import Union as _Union

from sluice.ops.image.adjusting import adjust_brightness as adjust_brightness
from sluice.ops.image.adjusting import adjust_contrast as adjust_contrast
from sluice.ops.image.adjusting import adjust_gamma as adjust_gamma
from sluice.ops.image.adjusting import adjust_hue as adjust_hue
from sluice.ops.image.adjusting import adjust_saturation as adjust_saturation
from sluice.ops.image.adjusting import per_image_standardization as per_image_standardization
from sluice.ops.image.adjusting import random_brightness as random_brightness
from sluice.ops.image.adjusting import random_contrast as random_contrast
from sluice.ops.image.adjusting import random_hue as random_hue
from sluice.ops.image.adjusting import random_saturation as random_saturation
from sluice.ops.image.boxes import combined_non_max_suppression as combined_non_max_suppression
from sluice.ops.image.boxes import crop_and_resize as crop_and_resize
from sluice.ops.image.boxes import draw_bounding_boxes as draw_bounding_boxes
from sluice.ops.image.boxes import extract_glimpse as extract_glimpse
from sluice.ops.image.boxes import non_max_suppression as non_max_suppression
from sluice.ops.image.boxes import non_max_suppression_overlaps as non_max_suppression_overlaps
from sluice.ops.image.boxes import non_max_suppression_padded as non_max_suppression_padded
from sluice.ops.image.boxes import non_max_suppression_with_scores as non_max_suppression_with_scores
from sluice.ops.image.boxes import sample_distorted_bounding_box as sample_distorted_bounding_box
from sluice.ops.image.codecs import adjust_jpeg_quality as adjust_jpeg_quality
from sluice.ops.image.codecs import decode_and_crop_jpeg as decode_and_crop_jpeg
from sluice.ops.image.codecs import decode_bmp as decode_bmp
from sluice.ops.image.codecs import decode_gif as decode_gif
from sluice.ops.image.codecs import decode_image as decode_image
from sluice.ops.image.codecs import decode_jpeg as decode_jpeg
from sluice.ops.image.codecs import decode_png as decode_png
from sluice.ops.image.codecs import encode_jpeg as encode_jpeg
from sluice.ops.image.codecs import encode_png as encode_png
from sluice.ops.image.codecs import extract_jpeg_shape as extract_jpeg_shape
from sluice.ops.image.codecs import is_jpeg as is_jpeg
from sluice.ops.image.codecs import random_jpeg_quality as random_jpeg_quality
from sluice.ops.image.colours import grayscale_to_rgb as grayscale_to_rgb
from sluice.ops.image.colours import hsv_to_rgb as hsv_to_rgb
from sluice.ops.image.colours import rgb_to_grayscale as rgb_to_grayscale
from sluice.ops.image.colours import rgb_to_hsv as rgb_to_hsv
from sluice.ops.image.colours import rgb_to_yiq as rgb_to_yiq
from sluice.ops.image.colours import rgb_to_yuv as rgb_to_yuv
from sluice.ops.image.colours import yiq_to_rgb as yiq_to_rgb
from sluice.ops.image.colours import yuv_to_rgb as yuv_to_rgb
from sluice.ops.image.conversion import convert_image_dtype as convert_image_dtype
from sluice.ops.image.cropping import central_crop as central_crop
from sluice.ops.image.cropping import crop_to_bounding_box as crop_to_bounding_box
from sluice.ops.image.cropping import pad_to_bounding_box as pad_to_bounding_box
from sluice.ops.image.cropping import random_crop as random_crop
from sluice.ops.image.cropping import resize_image_with_crop_or_pad as _ops_image_cropping_resize_image_with_crop_or_pad
resize_with_crop_or_pad = _ops_image_cropping_resize_image_with_crop_or_pad
from sluice.ops.image.cropping import resize_image_with_crop_or_pad as resize_image_with_crop_or_pad
from sluice.ops.image.flipping import flip_left_right as flip_left_right
from sluice.ops.image.flipping import flip_up_down as flip_up_down
from sluice.ops.image.flipping import random_flip_left_right as random_flip_left_right
from sluice.ops.image.flipping import random_flip_up_down as random_flip_up_down
from sluice.ops.image.flipping import rot90 as rot90
from sluice.ops.image.flipping import transpose_image as _ops_image_flipping_transpose_image
transpose = _ops_image_flipping_transpose_image
from sluice.ops.image.flipping import transpose_image as transpose_image
from sluice.ops.image.measuring import image_gradients as image_gradients
from sluice.ops.image.measuring import psnr as psnr
from sluice.ops.image.measuring import sobel_edges as sobel_edges
from sluice.ops.image.measuring import ssim as ssim
from sluice.ops.image.measuring import ssim_multiscale as ssim_multiscale
from sluice.ops.image.measuring import total_variation as total_variation
from sluice.ops.image.patches import extract_image_patches as extract_image_patches
from sluice.ops.image.patches import extract_patches as extract_patches
from sluice.ops.image.patches import extract_volume_patches as extract_volume_patches
from sluice.ops.image.resizing import ResizeMethod as ResizeMethod
from sluice.ops.image.resizing import resize as _ops_image_resizing_resize
resize_images = _ops_image_resizing_resize
from sluice.ops.image.resizing import resize as resize
from sluice.ops.image.resizing import resize_area as resize_area
from sluice.ops.image.resizing import resize_bicubic as resize_bicubic
from sluice.ops.image.resizing import resize_bilinear as resize_bilinear
from sluice.ops.image.resizing import resize_image_with_pad as resize_image_with_pad
from sluice.ops.image.resizing import resize_nearest_neighbor as resize_nearest_neighbor


