"""Texts in which the gene and other names are marks, so that patterns can speak of "the gene"."""

import re

from intogen_agent.review.naming import NAME, GeneNames

GENE = "¤"
OTHER = "¦"


def marked(text: str, gene: GeneNames) -> str:
    """Return a text in plain form with `¤` for the gene and `¦` for other names.

    What hangs on a name by a hyphen stays (`APC-mutant` becomes `¤-mutant`).
    """
    # The long name first, which holds shorter ones (KRAS proto-oncogene, GTPase).
    for name in (name for name in gene.all if " " in name):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", GENE, text, flags=re.IGNORECASE)
    return gene.replaced(NAME.sub(lambda match: _mark(match.group(), gene), text), GENE)


def _mark(name: str, gene: GeneNames) -> str:
    # Longer names that begin like the gene's (APC-AS1) are other genes; GeneNames knows them.
    if gene.in_text(name):
        return gene.replaced(name, GENE)
    return OTHER


def clauses(text: str, gene: GeneNames) -> list[str]:
    """Return the sentences of a text in marked form."""
    return [part for part in re.split(r"[.;]\s", marked(text, gene)) if GENE in part]
