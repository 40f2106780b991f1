# SPDX-License-Identifier: Apache-2.0
"""Files of data that are kept in a cache."""

import hashlib
import os
import tarfile
import urllib.request
import zipfile


def get_file(fname, origin, untar=False, md5_hash=None, file_hash=None, cache_subdir="datasets",
             hash_algorithm="auto", extract=False, archive_format="auto",
             cache_dir=None):  # fmt: skip
    """Finds a file in the cache; if it is not there, downloads it.

    Args:
        fname: Name of the file, a str; or an absolute path.
        origin: Its URL, a str.
        untar: Whether it is a .tar.gz archive that is unpacked. A bool.
        md5_hash: Older name of file_hash.
        file_hash: The hash of the file, a str. None: it is not checked.
        cache_subdir: Folder in the cache, a str.
        hash_algorithm: "md5", "sha256", or "auto": the length of the hash says it.
        extract: Whether an archive is unpacked. A bool.
        archive_format: "tar", "zip", "auto", or None: it is not an archive.
        cache_dir: The cache, a str. None: ~/.keras.

    Returns:
        The path, a str.

    Raises:
        OSError: The file cannot be downloaded.
        ValueError: It has another hash.
    """
    file_hash = file_hash or md5_hash
    folder = os.path.join(cache_dir or os.path.join(os.path.expanduser("~"), ".keras"),
                          cache_subdir)  # fmt: skip
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, fname)
    download = path + ".tar.gz" if untar else path
    if not os.path.exists(download) or file_hash and not _has_hash(
        download, file_hash, hash_algorithm
    ):  # fmt: skip
        print("Downloading data from", origin)
        _download(origin, download)
        if file_hash and not _has_hash(download, file_hash, hash_algorithm):
            os.remove(download)
            raise ValueError(f"the file from {origin} has not the hash {file_hash}")
    if untar and not os.path.exists(path):
        _unpack(download, folder, "tar")
    elif extract:
        _unpack(path, folder, archive_format)
    return path


def _download(origin, path):
    part = path + ".part"
    try:
        with urllib.request.urlopen(origin, timeout=60) as source, open(part, "wb") as file:
            while True:
                data = source.read(1 << 20)
                if not data:
                    break
                file.write(data)
        os.replace(part, path)
    except OSError as e:
        if os.path.exists(part):
            os.remove(part)
        raise OSError(f"URL fetch failure on {origin}: {e}") from None


def _has_hash(path, wanted, algorithm):
    is_sha = algorithm == "sha256" or algorithm == "auto" and len(wanted) == 64
    digest = hashlib.sha256() if is_sha else hashlib.md5()
    with open(path, "rb") as file:
        while True:
            data = file.read(1 << 20)
            if not data:
                return digest.hexdigest() == wanted
            digest.update(data)


def _unpack(path, folder, archive_format):
    if archive_format in ("auto", "tar") and tarfile.is_tarfile(path):
        with tarfile.open(path) as archive:
            members = archive.getmembers()
            for member in members:
                _check_inside(folder, member.name, path)
                if not (member.isfile() or member.isdir()):
                    raise ValueError(f"{path} has {member.name}, which is not a file")
            archive.extractall(folder, members)
    elif archive_format in ("auto", "zip") and zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for name in archive.namelist():
                _check_inside(folder, name, path)
            archive.extractall(folder)


def _check_inside(folder, name, archive):
    """ValueError: an archive would write outside of the folder."""
    root = os.path.realpath(folder)
    if os.path.commonpath([root, os.path.realpath(os.path.join(root, name))]) != root:
        raise ValueError(f"{archive} has {name}, which is outside of the folder")
