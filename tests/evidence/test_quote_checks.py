"""A statement is tied to its source: the quote stands there, and so do the numbers."""

import json

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from intogen_agent.evidence.numbers import foreign_numbers
from intogen_agent.evidence.quotes import normalise, quote_in

WORDS = st.lists(
    st.sampled_from(
        ["APC", "beta-catenin", "β-catenin", "loss,", "5%", "p.R175H", "“null”", "Wnt/"]
    ),
    min_size=1,
    max_size=12,
)
SPACES = st.sampled_from([" ", "  ", "\n  ", "\t", "\u00a0", "\u2009"])


@given(words=WORDS, spaces=st.lists(SPACES, min_size=12, max_size=12), data=st.data())
def test_any_run_of_words_is_a_quote_however_it_is_spaced(
    words: list[str], spaces: list[str], data: st.DataObject
) -> None:
    payload = "".join(word + space for word, space in zip(words, spaces, strict=False))
    start = data.draw(st.integers(0, len(words) - 1))
    end = data.draw(st.integers(start + 1, len(words)))
    assert quote_in(" ".join(words[start:end]), payload)
    assert quote_in(" ".join(words[start:end]).upper(), payload)


@given(words=WORDS, data=st.data())
def test_a_changed_word_is_no_quote(words: list[str], data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(words) - 1))
    changed = [*words[:position], "KRAS", *words[position + 1 :]]
    assert not quote_in(" ".join(changed), " ".join(words))


@pytest.mark.parametrize(
    ("quote", "payload"),
    [
        # Unicode forms, dashes, quotation marks.
        ("β-catenin", "\u03b2\u2010catenin"),
        ("beta-catenin", "beta\u2011catenin"),
        ("5-10 fold", "5\u201310 fold"),
        ("-0.5", "\u22120.5"),
        ("the patient's", "the patient\u2019s"),
        ('"driver" genes', "\u201cdriver\u201d genes"),
        ("efficacy of", "e\ufb03cacy of"),
        ("résumé", "re\u0301sume\u0301"),
        ("IC50 of 5 µM", "IC50 of 5 μM"),
        ("TNF α", "TNF\u00a0α"),
        # Soft hyphens and zero-width characters are not copied.
        ("suppressor", "sup\u00adpressor"),
        ("suppressor", "sup\u200bpressor"),
        ("sup\u00adpressor", "suppressor"),
        # A line broken at a hyphen, as text wrapping leaves it.
        ("cancer-causing mutations", "cancer-\n  causing mutations"),
        ("kinase-mediated activation", "kinase- mediated activation"),
        # JSON payloads are quoted as they read.
        ('called "null" allele', '{"abstract": "called \\"null\\" allele"}'),
        ("first line second line", '{"abstract": "first line\\nsecond line"}'),
        ("loss of β-catenin", '{"abstract": "loss of \\u03b2-catenin"}'),
        ("an emoji \U0001f600 here", '{"abstract": "an emoji \\ud83d\\ude00 here"}'),
        ("APC", "apc"),
    ],
)
def test_a_quote_survives_form_but_not_content(quote: str, payload: str) -> None:
    assert quote_in(quote, payload)


@pytest.mark.parametrize(
    ("quote", "payload"),
    [
        ("", "anything"),
        (" \n\u200b", "anything"),
        ("APC is lost", "APC is not lost"),
        ("in 81 % of cases", "in 18 % of cases"),
        ("V600E", "V600K"),
        ("APC ... Wnt", "APC acts on Wnt"),
        ("co-occurs", "cooccurs"),
        ("anything", ""),
    ],
)
def test_what_does_not_stand_there_is_no_quote(quote: str, payload: str) -> None:
    assert not quote_in(quote, payload)


@given(text=st.text())
def test_a_text_quotes_itself(text: str) -> None:
    assume(normalise(text))
    assert quote_in(text, text)


READABLE = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters='"\\')


@given(text=st.text(READABLE))
def test_a_text_is_found_in_its_json(text: str) -> None:
    assume(normalise(text))
    assert quote_in(text, json.dumps({"abstract": text}))
    assert quote_in(text, json.dumps({"abstract": text}, ensure_ascii=False))


# Numbers.


@pytest.mark.parametrize(
    ("statement", "source"),
    [
        ("in 81% of 27 tumours", "27 tumours, 81 %"),
        ("P = 0.001", "(P<0.001)"),
        ("1,234 samples", "1234 samples"),
        ("1234 samples", "1,234 samples"),
        ("1,234,567 reads", "1234567 reads"),
        ("codons 12 and 13", "codons 12,13"),
        ("codons 12, 13 and 61", "codons 12,13,61"),
        ("codons 12,13", "codons 12 and 13"),
        ("12.5 mg daily", "12.5mg daily"),
        ("12.5mg daily", "12.5 mg daily"),
        ("5-10 fold", "5\u201310-fold"),
        ("10 to 5", "5-10"),
        ("the V600E mutation of BRAF", "no number here"),
        ("p53, CDK4, 12q13, 53BP1, 3'UTR", "no number but 3"),
        ("PMID ENSG00000134982", "none"),
        ("in 2012.", "2012"),
        (
            "a hazard ratio of 0.45 (95% CI 0.33-0.63)",
            "0.45; 95% confidence interval, 0.33 to 0.63",
        ),
        ("no numbers", ""),
        ("30mg daily", "30 mg daily"),
        ("30 mg daily", "30mg daily"),
        ("a hazard ratio of .45", "HR, 0.45"),
        ("a hazard ratio of 0.45", "HR of .45"),
        ("reduced 3x", "a threefold reduction, 3-fold"),
        ("reduced 3 times", "reduced 3x"),
        ("3 x 10^5 cells", "3 × 10^5 cells in 3 weeks"),
        ("16 percent", "16%"),
        ("16%", "16 per cent"),
        ("12% and 13%", "12, 13 and 16%"),
        ("5-fold to 10-fold", "5 to 10-fold"),
        ("after 5 yrs, 5-year survival", "five-year (5-yr) survival"),
        ("10 nM drug", "10nM drug"),
        ("20 μM", "20 µM"),
        ("5S rRNA, 3D culture, 5FU, 10x8", "no numbers"),
        ("27 of 34 tumours", "27/34 tumours"),
        ("34 of 27", "34 of 27 (sic)"),
        # Words that count nothing.
        ("the two-hit model, the third exon, one of them, a quarter century", ""),
        ("two genes in patients, three subunits, half-life, four kinases of tumours", ""),
        ("two tumour suppressors, ten cancer genes, two sample types", ""),
        # Words that count.
        ("two patients", "2 patients"),
        ("two of the patients", "two patients"),
        ("two patients", "both patients"),
        ("ninety percent of tumours", "90%"),
        ("ninety-five percent", "ninety five per cent"),
        ("a hundred patients", "100 patients"),
        ("twenty-four tumours", "24 tumours"),
        ("half of all patients", "12 of 24 patients"),
        ("about half of the tumours", "48% of tumours"),
        ("half the cases", "one half"),
        ("a third of patients", "34%"),
        ("two thirds of them", "of 30 tumours, 21 were mutated"),
        ("three quarters of cases", "three-quarters"),
        ("the majority of tumours", "most tumours"),
        ("the majority of tumours", "41/43 tumours"),
        ("±5 of ٣", "5 and ٣"),
    ],
)
def test_numbers_of_the_source_may_be_stated(statement: str, source: str) -> None:
    assert foreign_numbers(statement, source) == []


@pytest.mark.parametrize(
    ("statement", "source", "foreign"),
    [
        ("in 81% of tumours", "in 18% of tumours", ["81"]),
        ("about 80%", "81%", ["80"]),
        ("0.45", "0.54 and 45", ["0.45"]),
        ("45", "0.45", ["45"]),
        ("1,234", "12 and 34", ["1234"]),
        ("600 patients", "the V600E mutation", ["600"]),
        ("53 tumours", "53BP1 and 12q13", ["53"]),
        ("12 tumours", "53BP1 and 12q13", ["12"]),
        ("2 of 3", "none", ["2", "3"]),
        ("5", "five", ["5"]),
        ("30mg", "10 mg", ["30"]),
        ("10nM drug", "50nM drug", ["10"]),
        ("reduced 3x", "reduced 2x", ["3"]),
        ("HR of .45", "HR of .85", [".45"]),
        ("16-fold", "16%", ["16-fold"]),
        ("16%", "16-fold", ["16%"]),
        ("10 mg", "10 µg", ["10 mg"]),
        ("5 years", "5 months", ["5 years"]),
        ("8.4% live 38 months", "38% live 8.4 months", ["8.4%", "38 months"]),
        ("34 of 27 tumours", "27 of 34 tumours", ["34 of 27"]),
        ("Half of all patients carry it, ninety percent die", "41 of 43", ["ninety", "half"]),
        ("half of all patients", "12% and 90%", ["half"]),
        ("half the patients", "none", ["half"]),
        ("two thirds of them", "41 of 43", ["thirds"]),
        ("a quarter of the tumours", "half", ["quarter"]),
        ("the majority of cases", "12%", ["majority"]),
        ("twelve tumours", "two tumours", ["twelve"]),
        ("seven independent colorectal cases", "6 cases", ["seven"]),
        ("two hundred patients", "20 patients", ["two hundred"]),
        ("two of 43 tumours", "41 of 43 tumours", ["two"]),
        ("12.5", "12.50", ["12.5"]),
    ],
)
def test_numbers_of_ones_own_are_found(statement: str, source: str, foreign: list[str]) -> None:
    assert foreign_numbers(statement, source) == foreign


NUMBERS = st.one_of(
    st.integers(0, 10**7).map(str),
    st.integers(0, 10**7).map(lambda n: f"{n:,}"),
    st.floats(0, 1000, allow_nan=False).map(lambda x: f"{x:.3f}"),
)


@given(numbers=st.lists(NUMBERS, min_size=1), order=st.randoms())
def test_a_statement_never_has_foreign_numbers_of_its_own_source(
    numbers: list[str], order: object
) -> None:
    source = "; ".join(f"{number} tumours" for number in numbers)
    order.shuffle(numbers)  # type: ignore[attr-defined]
    assert foreign_numbers(" and ".join(numbers) + ".", source) == []


@given(number=st.integers(0, 10**6), others=st.lists(st.integers(0, 10**6)))
def test_a_number_that_is_not_in_the_source_is_always_found(number: int, others: list[int]) -> None:
    assume(number not in others)
    source = " of ".join(map(str, others))
    assert foreign_numbers(f"{number} tumours", source) == [str(number)]
