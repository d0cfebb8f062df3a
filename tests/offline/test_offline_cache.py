"""The cached share that the usage tells is what a provider's cache would have had."""

from collections.abc import Iterator

import pytest
from offline_http import WIRES, Served, said, serving
from offline_world import request

from intogen_agent.offline.prompt_cache import PromptCache

TEXT = "".join(f"{number:07d}" for number in range(2000))


@pytest.fixture
def server() -> Iterator[Served]:
    with serving() as served:
        yield served


@pytest.mark.parametrize(
    ("first", "second", "cached"),
    [
        (TEXT, TEXT, 3968),
        (TEXT, TEXT + "more", 3968),
        (TEXT, TEXT[:7168] + "other", 2048),
        (TEXT, TEXT[:3584] + "other" + TEXT, 1024),
        (TEXT, TEXT[:3583] + "other" + TEXT, 0),
        (TEXT, "x" + TEXT, 0),
        (TEXT[:3000], TEXT[:3000], 0),
    ],
)
def test_a_common_beginning_is_cached_in_blocks_of_128_tokens(
    first: str, second: str, cached: int
) -> None:
    cache = PromptCache()
    assert cache.take("m", first) == 0
    assert cache.take("m", "unrelated") == 0
    assert cache.take("m", second) == cached


def test_models_share_no_cache() -> None:
    cache = PromptCache()
    cache.take("one", TEXT)
    assert cache.take("two", TEXT) == 0


def test_a_cache_of_many_prompts_forgets_the_oldest_and_stays_small() -> None:
    cache = PromptCache()
    first = "first " + TEXT
    cache.take("m", first)
    for number in range(2200):
        cache.take("m", f"{number} {TEXT}")
    assert len(cache._known) == 65_536
    assert cache.take("m", first) == 0
    assert cache.take("m", f"2199 {TEXT}") == 3968


def test_text_of_any_kind_can_be_cached() -> None:
    assert PromptCache().take("m\ud800", "\ud800é" * 4000) == 0


@pytest.mark.parametrize("wire", WIRES)
def test_the_usage_tells_what_a_longer_conversation_shares(server: Served, wire: str) -> None:
    first = request(TEXT)
    longer = request(
        TEXT, messages=[{"role": "assistant", "content": "so"}, {"role": "user", "content": "and?"}]
    )
    one, two = (said(wire, server.ask(wire, asked)) for asked in (first, longer))
    assert one.usage[1] == 0
    assert two.usage[1] % 128 == 0
    assert one.usage[0] - 128 <= two.usage[1] <= one.usage[0]
