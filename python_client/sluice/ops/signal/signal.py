# SPDX-License-Identifier: Apache-2.0
"""Fourier transforms, of the innermost dimensions; windows and frames."""

import numpy as np

from ... import dtypes
from ...graph.convert import constant, convert_to_tensor
from .. import array as arrays
from .. import math, raw_ops
from ..building import thin, with_names

fft = thin("FFT", "input", "Computes the Fourier transform along the last dimension.")
ifft = thin("IFFT", "input", "Computes the inverse Fourier transform along the last dimension.")
fft2d = thin("FFT2D", "input", "Computes the Fourier transform along the last two dimensions.")
ifft2d = thin(
    "IFFT2D", "input", "Computes the inverse Fourier transform along the last two dimensions."
)
fft3d = thin("FFT3D", "input", "Computes the Fourier transform along the last three dimensions.")
ifft3d = thin(
    "IFFT3D", "input", "Computes the inverse Fourier transform along the last three dimensions."
)


def _real(op, dims, inverse):
    def function(input_tensor, fft_length=None, name=None):
        x = convert_to_tensor(input_tensor)
        wide = x.dtype in (dtypes.float64, dtypes.complex128)
        types = {
            "Treal": dtypes.float64 if wide else dtypes.float32,
            "Tcomplex": dtypes.complex128 if wide else dtypes.complex64,
        }
        if fft_length is None:
            fft_length = arrays.shape(x)[-dims:]
            if inverse:
                last = math.maximum(0, 2 * (fft_length[-1] - 1))
                fft_length = arrays.concat([fft_length[:-1], arrays.expand_dims(last, 0)], 0)
        else:
            fft_length = convert_to_tensor(fft_length, dtypes.int32)
            x = _padded(x, fft_length, dims, inverse)
        return raw_ops.apply_op(op, name, input=x, fft_length=fft_length, **types)

    which = f"the last {dims} dimensions" if dims > 1 else "the last dimension"
    given = "complex tensor: the first half of each spectrum" if inverse else "real tensor"
    function.__doc__ = f"""Computes the {"inverse " * inverse}Fourier transform of real numbers.

    It is over {which}, which are cut off or padded with zeros to fft_length.

    Args:
        input_tensor: A {given}.
        fft_length: Sizes of the transform, an int32 vector [{dims}]. None: as large as the input.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A {"real" if inverse else "complex"} tensor.
    """
    return function


def _padded(x, fft_length, dims, inverse):
    """x with zeros up to what a transform of this length reads."""
    needed = fft_length
    if inverse:
        half = arrays.expand_dims(fft_length[-1] // 2 + 1, 0)
        needed = arrays.concat([fft_length[:-1], half], 0)
    missing = math.maximum(0, needed - arrays.shape(x)[-dims:])
    behind = arrays.concat([arrays.zeros([x.shape.ndims - dims], dtypes.int32), missing], 0)
    return arrays.pad(x, arrays.stack([arrays.zeros_like(behind), behind], 1))


rfft = _real("RFFT", 1, False)
irfft = _real("IRFFT", 1, True)
rfft2d = _real("RFFT2D", 2, False)
irfft2d = _real("IRFFT2D", 2, True)
rfft3d = _real("RFFT3D", 3, False)
irfft3d = _real("IRFFT3D", 3, True)


def _shift(x, axes, halves, name):
    x = convert_to_tensor(x)
    axes = list(range(x.shape.ndims)) if axes is None else [axes] if isinstance(axes, int) else axes
    sizes = arrays.gather(arrays.shape(x), list(axes))
    return arrays.roll(x, halves(sizes), list(axes), name)


def fftshift(x, axes=None, name=None):
    """Moves the zero frequency to the middle.

    Args:
        x: A tensor.
        axes: The dimensions, an int or a list of ints. None: all.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    return _shift(x, axes, lambda sizes: sizes // 2, name)


def ifftshift(x, axes=None, name=None):
    """Undoes fftshift().

    Args:
        x: A tensor.
        axes: The dimensions, an int or a list of ints. None: all.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of x.
    """
    return _shift(x, axes, lambda sizes: -(sizes // 2), name)


def _cosine_window(window_length, periodic, dtype, a, b):
    length = arrays.cast(convert_to_tensor(window_length), dtype)
    even = 1 - math.floormod(length, 2)
    steps = length + (even if periodic else 0) - 1
    count = arrays.range(window_length)
    phase = 2 * np.pi / math.maximum(steps, 1) * arrays.cast(count, dtype)
    window = a - b * math.cos(phase)
    return math.add(window, arrays.cast(math.equal(length, 1), dtype) * (1 - a + b))


def hann_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """Computes the Hann window, 0.5 - 0.5 cos(2 pi i / n).

    Args:
        window_length: How many elements, an int.
        periodic: Whether the window is for periodic use. A bool.
        dtype: Dtype of the result, a floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [window_length].
    """
    return arrays.identity(_cosine_window(window_length, periodic, dtype, 0.5, 0.5), name)


def hamming_window(window_length, periodic=True, dtype=dtypes.float32, name=None):
    """Computes the Hamming window, 0.54 - 0.46 cos(2 pi i / n).

    Args:
        window_length: How many elements, an int.
        periodic: Whether the window is for periodic use. A bool.
        dtype: Dtype of the result, a floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [window_length].
    """
    return arrays.identity(_cosine_window(window_length, periodic, dtype, 0.54, 0.46), name)


def frame(signal, frame_length, frame_step, pad_end=False, pad_value=0, axis=-1, name=None):
    """Cuts a signal into overlapping frames.

    Args:
        signal: A tensor [..., samples, ...].
        frame_length: How many samples a frame has, an int.
        frame_step: Samples from one frame to the next, an int.
        pad_end: Whether the last frames are filled up. A bool.
        pad_value: The value that fills them up.
        axis: The dimension of samples, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., frames, frame_length, ...].
    """
    signal = convert_to_tensor(signal)
    axis %= signal.shape.ndims
    if axis != signal.shape.ndims - 1:
        return _frames_within(signal, frame_length, frame_step, pad_end, pad_value, axis, name)
    length = arrays.shape(signal)[-1]
    if pad_end:
        count = -(-length // frame_step)
        missing = math.maximum(0, frame_length + frame_step * (count - 1) - length)
        pads = [[0, 0]] * (signal.shape.ndims - 1) + [[0, missing]]
        pads = convert_to_tensor(pads, dtypes.int32)
        signal = arrays.pad(signal, pads, constant_values=constant(pad_value, signal.dtype))
    else:
        count = math.maximum(0, 1 + (length - frame_length) // frame_step)
    starts = arrays.range(count) * frame_step
    places = arrays.expand_dims(starts, 1) + arrays.range(frame_length)
    return arrays.gather(signal, places, axis=-1, name=name)


def _frames_within(signal, frame_length, frame_step, pad_end, pad_value, axis, name):
    """frame() of a dimension that is not the last."""
    rank = signal.shape.ndims
    order = [d for d in range(rank) if d != axis] + [axis]
    frames = frame(arrays.transpose(signal, order), frame_length, frame_step, pad_end, pad_value)
    back = [*range(axis), rank - 1, rank, *range(axis, rank - 1)]
    return arrays.transpose(frames, back, name)


def overlap_and_add(signal, frame_step, name=None):
    """Adds up overlapping frames. It is the reverse of frame().

    Args:
        signal: A tensor [..., frames, frame_length].
        frame_step: Samples from one frame to the next, an int.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., samples].
    """
    signal = convert_to_tensor(signal)
    sizes = arrays.shape(signal)
    frames, length = sizes[-2], sizes[-1]
    outer = sizes[:-2]
    flat = arrays.reshape(signal, arrays.stack([-1, frames * length]))
    starts = arrays.expand_dims(arrays.range(frames) * frame_step, 1)
    places = arrays.reshape(starts + arrays.range(length), [-1])
    total = length + (frames - 1) * frame_step
    columns = math.unsorted_segment_sum(arrays.transpose(flat, [1, 0]), places, total)
    result = arrays.transpose(columns, [1, 0])
    return arrays.reshape(result, arrays.concat([outer, [total]], 0), name)


def stft(signals, frame_length, frame_step, fft_length=None, window_fn=hann_window, pad_end=False,
         name=None):  # fmt: skip
    """Computes the Fourier transform of overlapping frames of a signal.

    Args:
        signals: A float tensor [..., samples].
        frame_length: How many samples a frame has, an int.
        frame_step: Samples from one frame to the next, an int.
        fft_length: Size of the transform, an int. None: the power of 2 at or above frame_length.
        window_fn: A function of (length, dtype) that returns the window. None: none.
        pad_end: Whether the last frames are filled up with zeros. A bool.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A complex tensor [..., frames, fft_length / 2 + 1].
    """
    signals = convert_to_tensor(signals)
    fft_length = 1 << (frame_length - 1).bit_length() if fft_length is None else fft_length
    frames = frame(signals, frame_length, frame_step, pad_end)
    if window_fn is not None:
        frames = frames * window_fn(frame_length, dtype=frames.dtype)
    return rfft(frames, [fft_length], name)


def inverse_stft(stfts, frame_length, frame_step, fft_length=None, window_fn=hann_window,
                 name=None):  # fmt: skip
    """Computes the signal of stft()'s result. It is exact with
    window_fn=inverse_stft_window_fn(frame_step).

    Args:
        stfts: A complex tensor [..., frames, fft_length / 2 + 1].
        frame_length: How many samples a frame has, an int.
        frame_step: Samples from one frame to the next, an int.
        fft_length: Size of the transform, an int. None: the power of 2 at or above frame_length.
        window_fn: A function of (length, dtype) that returns the window. None: none.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A float tensor [..., samples].

    Raises:
        ValueError: frame_length is above fft_length.
    """
    fft_length = 1 << (frame_length - 1).bit_length() if fft_length is None else fft_length
    frames = irfft(stfts, [fft_length])[..., :frame_length]
    if frame_length > fft_length:
        raise ValueError("frame_length must not be above fft_length")
    if window_fn is not None:
        frames = frames * window_fn(frame_length, dtype=frames.dtype)
    return overlap_and_add(frames, frame_step, name)


def inverse_stft_window_fn(frame_step, forward_window_fn=hann_window, name=None):
    """Makes the window function with which inverse_stft() undoes stft().

    Args:
        frame_step: Samples from one frame to the next, an int.
        forward_window_fn: The window function of stft().
        name: Name of the operation, a str. None: a default name.

    Returns:
        A function of (length, dtype) that returns the window.
    """

    def inverse(frame_length, dtype):
        window = forward_window_fn(frame_length, dtype=dtype)
        overlaps = -(-frame_length // frame_step)
        squares = arrays.pad(math.square(window), [[0, overlaps * frame_step - frame_length]])
        total = math.reduce_sum(arrays.reshape(squares, [overlaps, frame_step]), 0, True)
        total = arrays.reshape(arrays.tile(total, [overlaps, 1]), [-1])
        return math.realdiv(window, total[:frame_length], name)

    return inverse


def _mel(hertz):
    """Hertz on the mel scale."""
    return 1127.0 * np.log(1.0 + np.asarray(hertz, np.float64) / 700.0)


def linear_to_mel_weight_matrix(num_mel_bins=20, num_spectrogram_bins=129, sample_rate=8000,
                                lower_edge_hertz=125.0, upper_edge_hertz=3800.0,
                                dtype=dtypes.float32, name=None):  # fmt: skip
    """Computes the matrix that converts frequencies to bins on the mel scale.

    Args:
        num_mel_bins: How many bins, an int.
        num_spectrogram_bins: How many frequencies, an int.
        sample_rate: Samples in a second, a number.
        lower_edge_hertz: Lowest frequency, in Hz.
        upper_edge_hertz: Highest frequency, in Hz.
        dtype: Dtype of the result, a floating-point dtype.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [num_spectrogram_bins, num_mel_bins].

    Raises:
        ValueError: The edges are not in order within [0, sample_rate / 2].
    """
    if not 0.0 <= lower_edge_hertz < upper_edge_hertz <= sample_rate / 2:
        raise ValueError(
            f"the edges {lower_edge_hertz} and {upper_edge_hertz} are not in order within "
            f"[0, {sample_rate / 2}]"
        )
    steps = np.linspace(0.0, sample_rate / 2, num_spectrogram_bins)[1:, None]
    edges = np.linspace(_mel(lower_edge_hertz), _mel(upper_edge_hertz), num_mel_bins + 2)
    low, middle, high = edges[:-2], edges[1:-1], edges[2:]
    rising = (_mel(steps) - low) / (middle - low)
    falling = (high - _mel(steps)) / (high - middle)
    weights = np.maximum(0.0, np.minimum(rising, falling))
    return constant(np.pad(weights, [[1, 0], [0, 0]]), dtype, name=name or "Const")


def mfccs_from_log_mel_spectrograms(log_mel_spectrograms, name=None):
    """Computes the cepstral coefficients of log mel spectrograms: a dct() scaled by 1 / sqrt(2
    bins).

    Args:
        log_mel_spectrograms: A float tensor [..., bins].
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor [..., bins].
    """
    x = convert_to_tensor(log_mel_spectrograms)
    return math.multiply(dct(x), 1.0 / np.sqrt(2.0 * int(x.shape[-1])), name)


def dct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """Computes the discrete cosine transform of type 2 along the last dimension.

    Args:
        input: A float tensor [..., samples].
        type: The type of the transform: 2.
        n: How many samples are transformed, an int: the first ones, or zeros after all. None: all.
        axis: Accepted as -1 only.
        norm: None, or "ortho" for an orthonormal transform.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the dtype of input. Its shape is that of input, or [..., n].

    Raises:
        NotImplementedError: Another type or dimension.
        ValueError: n is below 1.
    """
    if (type, axis) != (2, -1):
        raise NotImplementedError("dct: type 2 of the last dimension")
    x = convert_to_tensor(input)
    if n is not None and n < 1:
        raise ValueError("n should be a positive integer or None")
    if n is not None:
        more = max(n - x.shape.as_list()[-1], 0)
        x = arrays.pad(x, [[0, 0]] * (x.shape.ndims - 1) + [[0, more]])[..., :n]
    size = x.shape[-1]
    spectrum = rfft(x, [2 * size])[..., :size]
    phase = np.exp(-0.5j * np.pi * np.arange(size) / size) * 2
    result = math.real(spectrum * constant(phase, spectrum.dtype))
    if norm == "ortho":
        scale = np.full(size, np.sqrt(0.5 / size))
        scale[0] = 0.5 * np.sqrt(1 / size)
        result = result * constant(scale, x.dtype)
    return arrays.identity(result, name)


def idct(input, type=2, n=None, axis=-1, norm=None, name=None):
    """Computes the inverse of dct(); without norm="ortho" up to a factor 2 * samples.

    Args:
        input: A float tensor [..., samples].
        type: The type of the transform: 2.
        n: Accepted as None only.
        axis: Accepted as -1 only.
        norm: None, or "ortho" for an orthonormal transform.
        name: Name of the operation, a str. None: a default name.

    Returns:
        A tensor of the shape and dtype of input.

    Raises:
        NotImplementedError: Another type, length or dimension.
    """
    if (type, n, axis) != (2, None, -1):
        raise NotImplementedError("idct: type 2 of the last dimension, in whole")
    x = convert_to_tensor(input)
    size = x.shape[-1]
    if norm == "ortho":
        scale = np.full(size, np.sqrt(0.5 / size))
        scale[0] = np.sqrt(1 / size)
        x = x * constant(scale, x.dtype)
    kind = dtypes.complex128 if x.dtype == dtypes.float64 else dtypes.complex64
    phase = 2 * size * np.exp(0.5j * np.pi * np.arange(size) / size)
    spectrum = math.complex(x, arrays.zeros_like(x)) * constant(phase, kind)
    padded = arrays.concat([spectrum, arrays.zeros_like(spectrum[..., :1])], -1)
    return arrays.identity(irfft(padded, [2 * size])[..., :size], name)


__all__ = with_names(globals())
