"""When two names of journals are one source."""

import pytest

from intogen_agent.report.sources import same_source

ONE = [
    ("Hum. Mol. Genet.", "Human Molecular Genetics"),
    ("Science", "Science (New York, N.Y.)"),
    ("Nat Med", "Nature medicine"),
    ("J Natl Cancer Inst", "Journal of the National Cancer Institute"),
    ("Proc Natl Acad Sci U S A", "Proceedings of the National Academy of Sciences of the United "
     "States of America"),
    ("Clin Cancer Res", "Clinical cancer research : an official journal of the American "
     "Association for Cancer Research"),
    ("Genes Dev", "Genes & development"),
    ("N Engl J Med", "The New England Journal of Medicine"),
    ("J Clin Oncol", "Journal of clinical oncology: official journal of ASCO"),
    ("Br J Cancer", "British Journal of Cancer"),
]  # fmt: skip
TWO = [
    ("Nat Med", "Nature Methods"),
    ("Nat Med", "Nature Metabolism"),
    ("Cell", "Cell Reports"),
    ("Cell Rep", "Cell Research"),
    ("Cancer Cell", "Cancer"),
    ("Cancer Res", "Cancer Reports"),
    ("Nature", "Nat Commun"),
    ("Mol Cell", "Mol Cancer"),
    ("Oncogene", "Oncogenesis"),
    ("J Pathol", "J Proteomics"),
    ("Leukemia", "Leukemia Research"),
]


@pytest.mark.parametrize(("one", "other"), ONE)
def test_full_and_abbreviated_names_are_one_journal(one: str, other: str) -> None:
    assert same_source(one, other) and same_source(other, one)


@pytest.mark.parametrize(("one", "other"), TWO)
def test_names_that_only_look_alike_are_two_journals(one: str, other: str) -> None:
    assert not same_source(one, other) and not same_source(other, one)
