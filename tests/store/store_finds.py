"""How tests of the store read what it finds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from intogen_agent.store.search import Store

Build = Callable[..., Path]


def pmids(store: Store, *args: Any, **kwargs: Any) -> list[int]:
    return [int(hit.article.pmid) for hit in store.articles(*args, **kwargs)]
