"""The language rules on a labelled list: neither cries wolf, neither lets through.

`labelled_bullets.tsv` holds bullets as models write them, labelled by hand before the rules were
run on them; the labels are what a reader says, not what the code does.
"""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from intogen_agent.report.text import sentences, starts_with_verb
from intogen_agent.report.thresholds import Thresholds

MOST_WRONG = 0.02
LEAST, MOST = Thresholds().function_sentences


class Labelled(NamedTuple):
    verb: bool
    sentences: int
    text: str


def labelled() -> list[Labelled]:
    path = Path(__file__).with_name("labelled_bullets.tsv")
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line[0] != "#"]
    rows = [line.split("\t") for line in lines[1:]]
    return [Labelled(verb == "yes", int(count), text) for verb, count, text in rows]


BULLETS = labelled()


def check(name: str, judged: list[tuple[bool, bool, str]]) -> None:
    """Compare what should pass with what does; both kinds of error stay within the bound."""
    for kind, label in (("false alarms", True), ("misses", False)):
        of_kind = [(found, text) for wanted, found, text in judged if wanted is label]
        wrong = [text for found, text in of_kind if found is not label]
        share = len(wrong) / len(of_kind)
        print(f"{name}: {kind} {len(wrong)} of {len(of_kind)} ({share:.1%})")
        assert share <= MOST_WRONG, f"{name}: {kind}: {wrong}"


def test_the_list_is_long_enough_and_holds_both_classes() -> None:
    assert len(BULLETS) >= 300
    assert len({bullet.text for bullet in BULLETS}) == len(BULLETS)
    verbs = Counter(bullet.verb for bullet in BULLETS)
    counted = Counter(LEAST <= bullet.sentences <= MOST for bullet in BULLETS)
    assert min(verbs.values()) >= 100 and min(counted.values()) >= 75


def test_verb_first_neither_cries_wolf_nor_lets_nouns_through() -> None:
    check("verb first", [(each.verb, starts_with_verb(each.text), each.text) for each in BULLETS])


def test_sentence_splitting_neither_cries_wolf_nor_lets_long_bullets_through() -> None:
    judged = [
        (
            LEAST <= each.sentences <= MOST,
            LEAST <= len(sentences(each.text)) <= MOST,
            each.text,
        )
        for each in BULLETS
    ]
    check("2 to 3 sentences", judged)


def test_sentences_are_counted_right_whatever_the_bounds() -> None:
    wrong = [each for each in BULLETS if len(sentences(each.text)) != each.sentences]
    print(f"sentences counted: {len(wrong)} wrong of {len(BULLETS)}")
    assert len(wrong) / len(BULLETS) <= MOST_WRONG, wrong
