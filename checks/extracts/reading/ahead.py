"""Read the next batch while the present one is being typed."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def ahead(items: Iterator[T]) -> Iterator[T]:
    """The same items in the same order, each fetched in a thread while the one before is in use."""
    done = object()
    with ThreadPoolExecutor(max_workers=1) as pool:
        coming = pool.submit(next, items, done)
        while (item := coming.result()) is not done:
            coming = pool.submit(next, items, done)
            yield item  # type: ignore[misc]
