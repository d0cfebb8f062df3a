"""Which share of a prompt a provider would have found in its cache."""

import hashlib
from collections import OrderedDict

_BLOCK_TOKENS = 128
_MIN_TOKENS = 1024
# 128 tokens of 3.5 characters.
_BLOCK_CHARACTERS = 448
_MAX_BLOCKS = 65_536


class PromptCache:
    """The beginnings of the latest prompts, as digests of whole blocks of 128 tokens."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def take(self, model: str, prompt: str) -> int:
        """Return how many tokens of a prompt are known from an earlier one; remember it.

        Args:
            model: Caches are per model.
            prompt: All that the model reads.

        Returns:
            A multiple of 128, or 0 below 1,024.
        """
        digest = hashlib.blake2b(model.encode(errors="replace"), digest_size=16)
        shared = 0
        whole = len(prompt) // _BLOCK_CHARACTERS
        for block in range(whole):
            start = block * _BLOCK_CHARACTERS
            text = prompt[start : start + _BLOCK_CHARACTERS]
            digest.update(text.encode(errors="surrogatepass"))
            key = digest.digest()
            # A digest covers all blocks before it: one that is known cannot follow an unknown one
            # but where old ones were forgotten.
            shared += shared == block and key in self._known
            self._known[key] = None
            self._known.move_to_end(key)
        while len(self._known) > _MAX_BLOCKS:
            self._known.popitem(last=False)
        tokens = shared * _BLOCK_TOKENS
        return tokens if tokens >= _MIN_TOKENS else 0
