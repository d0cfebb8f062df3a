"""Condensing a UniProt entry into a readable record, by the configured caps.

Source: the seed's section "Phase 1": configurable caps per category, a cap of zero disables it,
`include_sub_refs` governs inline references. Beyond the seed: pathways are a category as well,
and how many entries of a category were kept is told.
"""

import re
from collections.abc import Iterable, Iterator

from intogen_agent.config.settings import UniprotSettings
from intogen_agent.evidence.models import Protein
from intogen_agent.evidence.uniprot_values import (
    Entry,
    accession_of,
    at,
    is_reviewed,
    is_uniprot,
    items,
    primary_symbol,
    property_of,
    protein_name,
    text_at,
)

FUNCTION_STATEMENTS = 12
_REFERENCE = r"(?:PubMed:\d{1,9}|Ref\.\d{1,4})"
_INLINE = re.compile(rf" ?\(({_REFERENCE}(?:, ?{_REFERENCE})*)\)")
_PUBMED = re.compile(r"PubMed:(\d{1,9})")
# Repeats come last: a protein of thirty ankyrin repeats has a domain, too.
_DOMAINS = ("Domain", "DNA binding", "Zinc finger", "Repeat")
# What goes wrong in disease comes after what the protein normally does.
_DISEASE = re.compile(
    r"\b(?:aberrant|cancer|defective|deregulated|diseases?|infection|loss[- ]of[- ]function"
    r"|mutants?|mutations?|resistan\w+|tumou?rs?|variants?|viral|virus)\b",
    re.IGNORECASE,
)
_MODIFICATIONS = ("Modified residue", "Lipidation", "Glycosylation", "Cross-link")


def condense(entry: Entry, caps: UniprotSettings) -> Protein:
    """Return a readable record of an entry, within the caps.

    Text that is not from UniProtKB comes out without an accession, so nothing can cite UniProt
    for it.
    """
    refs = caps.include_sub_refs
    categories: dict[str, tuple[Iterable[str], int]] = {
        "function": (_function(entry, refs), FUNCTION_STATEMENTS),
        "isoforms": (_isoforms(entry), caps.isoforms),
        "domains": (_domains(entry, refs), caps.domains),
        "motifs": (_features(entry, ("Motif",), refs), caps.motifs),
        "subcellular_locations": (_locations(entry, refs), caps.subcellular_locations),
        "interactions": (_interactions(entry, refs), caps.interactions),
        "modifications": (_modifications(entry, refs), caps.modifications),
        "pathways": (_pathways(entry, refs), caps.pathways),
    }
    found = {name: list(dict.fromkeys(texts)) for name, (texts, _) in categories.items()}
    kept = {name: found[name][:cap] for name, (_, cap) in categories.items()}
    return Protein(
        accession=accession_of(entry) or None if is_uniprot(entry) else None,
        reviewed=is_reviewed(entry),
        organism=text_at(entry, "organism", "scientificName"),
        name=protein_name(entry),
        kept={name: f"{len(kept[name])} of {len(all_)}" for name, all_ in found.items() if all_},
        **kept,
    )


def _function(entry: Entry, refs: bool) -> Iterator[str]:
    yield from _texts(entry, "FUNCTION", refs)
    yield from _texts(entry, "ACTIVITY REGULATION", refs)


def _domains(entry: Entry, refs: bool) -> Iterator[str]:
    yield from _features(entry, _DOMAINS, refs)
    yield from _texts(entry, "DOMAIN", refs)
    yield from _foreign(entry, "domains")


def _modifications(entry: Entry, refs: bool) -> Iterator[str]:
    yield from _texts(entry, "PTM", refs)
    yield from _features(entry, _MODIFICATIONS, refs)


def _comments(entry: Entry, kind: str) -> Iterator[Entry]:
    return (one for one in items(entry, "comments") if one.get("commentType") == kind)


def _about(comment: Entry) -> str:
    """Return what a comment is about, if that is one isoform or fragment only."""
    molecule = text_at(comment, "molecule")
    return f"{molecule}: " if molecule else ""


def _texts(entry: Entry, kind: str, refs: bool) -> Iterator[str]:
    for comment in _comments(entry, kind):
        for text in items(comment, "texts"):
            value = text_at(text, "value")
            if _INLINE.sub("", value).strip(" ."):
                yield f"{_about(comment)}{_cited(value, text, refs)}"


def _cited(value: str, item: Entry, refs: bool) -> str:
    """Return a text with the papers that it names and rests on, or without any."""
    text = _INLINE.sub(_as_pmids if refs else "", value).strip()
    return f"{text}{_references(item, refs, text, set(_PUBMED.findall(value)))}"


def _as_pmids(match: re.Match[str]) -> str:
    """Write inline references as citations do; the numbers of an entry's own list say nothing."""
    pmids = [f"PMID:{pmid}" for pmid in _PUBMED.findall(match[1])]
    return f" ({', '.join(pmids)})" if pmids else ""


def _references(item: Entry, refs: bool, text: str = "", named: Iterable[str] = ()) -> str:
    if not refs:
        return ""
    pmids = (text_at(one, "id") for one in items(item, "evidences") if _is_paper(one))
    new = dict.fromkeys(f"PMID:{pmid}" for pmid in pmids if pmid not in named)
    # Behind a paragraph they would read as the sources of its last sentence.
    scope = "whole text: " if ". " in text else ""
    return f" ({scope}{', '.join(new)})" if new else ""


def _is_paper(evidence: Entry) -> bool:
    return (
        evidence.get("source") == "PubMed"
        and re.fullmatch(r"[0-9]{1,9}", text_at(evidence, "id")) is not None
    )


def _isoforms(entry: Entry) -> Iterator[str]:
    for comment in _comments(entry, "ALTERNATIVE PRODUCTS"):
        for isoform in items(comment, "isoforms"):
            name, ids = text_at(isoform, "name", "value"), isoform.get("isoformIds")
            known = ", ".join(filter(None, map(str, ids))) if isinstance(ids, list) else ""
            if name:
                yield f"{name} ({known})" if known else name


def _features(entry: Entry, kinds: tuple[str, ...], refs: bool) -> Iterator[str]:
    features = items(entry, "features")
    for kind in kinds:
        plain = kind in ("Domain", "Motif", *_MODIFICATIONS)
        for feature in features:
            if feature.get("type") != kind:
                continue
            text = text_at(feature, "description")
            named = text if plain else f"{kind}: {text}" if text else kind
            if named:
                yield f"{named}{_place(feature)}{_references(feature, refs)}"


def _place(feature: Entry) -> str:
    start = text_at(feature, "location", "start", "value")
    end = text_at(feature, "location", "end", "value")
    if not (start and end):
        return ""
    return f" ({start})" if start == end else f" ({start}-{end})"


def _locations(entry: Entry, refs: bool) -> Iterator[str]:
    for comment in _comments(entry, "SUBCELLULAR LOCATION"):
        for place in items(comment, "subcellularLocations"):
            value = text_at(place, "location", "value")
            if value:
                yield f"{_about(comment)}{value}{_references(place['location'], refs)}"


def _interactions(entry: Entry, refs: bool) -> Iterator[str]:
    """Yield what is said of partners, then their names, those of most experiments first.

    Partners from other organisms are left out: a name alone would pass for a human protein. So is
    the protein itself; what is known of its dimers stands in the text.
    """
    yield from _texts(entry, "SUBUNIT", refs)
    own = {primary_symbol(gene) for gene in items(entry, "genes")}
    experiments: dict[str, int] = {}
    for comment in _comments(entry, "INTERACTION"):
        for pair in items(comment, "interactions"):
            partner = text_at(pair, "interactantTwo", "geneName")
            if partner and partner not in own and pair.get("organismDiffer") is not True:
                count = at(pair, "numberOfExperiments")
                number = count if isinstance(count, int) else 0
                experiments[partner] = max(number, experiments.get(partner, 0))
    yield from sorted(experiments, key=lambda partner: -experiments[partner])
    yield from _foreign(entry, "interactions")


def _pathways(entry: Entry, refs: bool) -> Iterator[str]:
    """Yield UniProt's own pathways, then Reactome's; KEGG's cross-references name the gene only."""
    yield from _texts(entry, "PATHWAY", refs)
    names = [
        f"{name} (Reactome {identifier})" if (identifier := text_at(one, "id")) else name
        for one in items(entry, "uniProtKBCrossReferences")
        if one.get("database") == "Reactome" and (name := property_of(one, "PathwayName"))
    ]
    yield from sorted(names, key=lambda name: _DISEASE.search(name) is not None)


def _foreign(entry: Entry, category: str) -> Iterator[str]:
    found = at(entry, "foreign", category)
    yield from (text for text in found if isinstance(text, str)) if isinstance(found, list) else ()
