"""One spelling for the words of cancer names: American, singular."""

_SPELLINGS = (("tumour", "tumor"), ("aem", "em"), ("oeso", "eso"), ("paed", "ped"))
INVERTIBLE = frozenset({"cancer", "adenocarcinoma", "sarcoma", "lymphoma", "melanoma"})
"""Heads that also stand first: "lung adenocarcinoma", "adenocarcinoma of the lung"."""


def spelled(word: str) -> str:
    """Return a lower-case word in American spelling and in the singular."""
    for british, american in _SPELLINGS:
        word = word.replace(british, american)
    if len(word) > 4 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word
