"""The raw files as they arrived, kept once each under the hash of their bytes, never modified."""

from __future__ import annotations

import codecs
import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = 1 << 22


@dataclass(frozen=True)
class Fingerprint:
    """Hash (hex SHA-256) and size of a file, and whether its bytes are strict UTF-8 throughout."""

    sha256: str
    bytes: int
    utf8: bool


class RawStore:
    """A folder with each raw file at `<root>/<first two digits>/<sha256>`."""

    def __init__(self, root: Path) -> None:
        """`root` is created on the first file kept."""
        self.root = root

    def path(self, sha256: str) -> Path:
        """Where the file of that hash is, or would be."""
        return self.root / sha256[:2] / sha256

    def has(self, sha256: str) -> bool:
        """Whether that file is kept."""
        return self.path(sha256).is_file()


def take(path: Path, store: RawStore | None) -> Fingerprint:
    """Hash `path` and, given a store, keep a copy of the very bytes hashed. One pass over the file."""
    with path.open("rb") as source, _copy(store) as target:
        digest = hashlib.sha256()
        decoder: codecs.IncrementalDecoder | None = codecs.getincrementaldecoder("utf-8")("strict")
        size, pending = 0, False
        while block := source.read(_BLOCK):
            digest.update(block)
            size += len(block)
            if target:
                target.file.write(block)
            if decoder and (pending or not block.isascii()):
                try:
                    decoder.decode(block)
                    pending = bool(decoder.getstate()[0])
                except UnicodeDecodeError:
                    decoder = None
        sha = digest.hexdigest()
        if target and store:
            target.keep(store.path(sha))
    return Fingerprint(sha, size, decoder is not None and not pending)


class _Target:
    def __init__(self, name: str, descriptor: int) -> None:
        self.name = Path(name)
        self.file = os.fdopen(descriptor, "wb")

    def keep(self, final: Path) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        if final.exists():
            return
        final.parent.mkdir(parents=True, exist_ok=True)
        self.name.chmod(0o440)
        self.name.replace(final)


@contextlib.contextmanager
def _copy(store: RawStore | None) -> Iterator[_Target | None]:
    if store is None:
        yield None
        return
    store.root.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=".chegando-", dir=store.root)
    target = _Target(name, descriptor)
    try:
        yield target
    finally:
        target.file.close()
        target.name.unlink(missing_ok=True)
