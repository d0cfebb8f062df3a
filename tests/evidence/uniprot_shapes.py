"""One protein in every shape in which servers answer: REST JSON, flat text, biomcp-cli's JSON."""

import json
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REVIEWED, UNREVIEWED = "UniProtKB reviewed (Swiss-Prot)", "UniProtKB unreviewed (TrEMBL)"
HUMAN, MOUSE = ("Homo sapiens", "Human", 9606), ("Mus musculus", "Mouse", 10090)
_KEYS = {
    "Domain": "DOMAIN",
    "Motif": "MOTIF",
    "Modified residue": "MOD_RES",
    "Zinc finger": "ZN_FING",
    "Repeat": "REPEAT",
}
Cited = tuple[str, list[str]]


def recorded(shared_data: Path, name: str) -> str:
    """Return the text of a recorded answer."""
    path = shared_data / "payloads" / "tool_outputs" / f"{name}.json"
    value = json.loads(path.read_text(encoding="utf-8"))
    return "\n".join(block["text"] for block in value["result"]["content"])


@dataclass
class Made:
    """A protein.

    Attributes:
        texts: Comments: topic, molecule, statement, papers.
        features: Kind, first and last residue, note, papers.
        partners: Gene, experiments, whether of another organism.
        pathways: Reactome's id and name.
    """

    symbol: str = "APC"
    kind: str = REVIEWED
    organism: tuple[str, str, int] = HUMAN
    accession: str = "P25054"
    name: str = "Adenomatous polyposis coli protein"
    synonyms: list[str] = field(default_factory=list)
    texts: list[tuple[str, str, str, list[str]]] = field(default_factory=list)
    locations: list[Cited] = field(default_factory=list)
    isoforms: list[str] = field(default_factory=list)
    features: list[tuple[str, int, int, str, list[str]]] = field(default_factory=list)
    partners: list[tuple[str, int, bool]] = field(default_factory=list)
    pathways: list[tuple[str, str]] = field(default_factory=list)
    hgnc: str = ""
    entrez: str = ""
    ensembl: list[str] = field(default_factory=list)

    def rest(self) -> dict[str, Any]:
        """Return the entry in the shape of UniProt's REST JSON."""
        scientific, common, taxon = self.organism
        gene: dict[str, Any] = {"geneName": {"value": self.symbol}}
        if self.synonyms:
            gene["synonyms"] = [{"value": name} for name in self.synonyms]
        return {
            "entryType": self.kind,
            "primaryAccession": self.accession,
            "organism": {
                "scientificName": scientific,
                "commonName": common,
                "taxonId": taxon,
            },
            "proteinDescription": {"recommendedName": {"fullName": {"value": self.name}}},
            "genes": [gene],
            "comments": self._comments(),
            "features": [
                {
                    "type": kind,
                    "location": {"start": {"value": start}, "end": {"value": end}},
                    "description": note,
                    "evidences": _evidences(pmids),
                }
                for kind, start, end, note, pmids in self.features
            ],
            "uniProtKBCrossReferences": list(self._references()),
        }

    def _comments(self) -> list[dict[str, Any]]:
        comments: list[dict[str, Any]] = []
        for kind, molecule, text, pmids in self.texts:
            about = {"molecule": molecule} if molecule else {}
            said = [{"value": text, "evidences": _evidences(pmids)}]
            comments.append({"commentType": kind, "texts": said, **about})
        places = [
            {"location": {"value": place, "evidences": _evidences(pmids)}}
            for place, pmids in self.locations
        ]
        comments.append({"commentType": "SUBCELLULAR LOCATION", "subcellularLocations": places})
        isoforms = [
            {"name": {"value": name}, "isoformIds": [f"{self.accession}-{number}"]}
            for number, name in enumerate(self.isoforms, 1)
        ]
        comments.append({"commentType": "ALTERNATIVE PRODUCTS", "isoforms": isoforms})
        pairs = [
            {
                "interactantTwo": {"geneName": gene},
                "numberOfExperiments": count,
                "organismDiffer": foreign,
            }
            for gene, count, foreign in self.partners
        ]
        comments.append({"commentType": "INTERACTION", "interactions": pairs})
        return comments

    def _references(self) -> Any:
        for identifier, name in self.pathways:
            named = [{"key": "PathwayName", "value": name}]
            yield {"database": "Reactome", "id": identifier, "properties": named}
        if self.hgnc:
            named = [{"key": "GeneName", "value": self.symbol}]
            yield {"database": "HGNC", "id": self.hgnc, "properties": named}
        if self.entrez:
            yield {"database": "GeneID", "id": self.entrez, "properties": []}
        for gene in self.ensembl:
            properties = [{"key": "ProteinId", "value": "ENSP1"}, {"key": "GeneId", "value": gene}]
            yield {"database": "Ensembl", "id": "ENST1", "properties": properties}

    def flat(self) -> str:
        """Return the entry as UniProtKB flat text, wrapped as UniProt wraps it."""
        scientific, common, taxon = self.organism
        status = "Reviewed" if self.kind == REVIEWED else "Unreviewed"
        genes = f"Name={self.symbol} {{ECO:0000312|HGNC:HGNC:583}};"
        if self.synonyms:
            genes += f" Synonyms={', '.join(self.synonyms)};"
        lines = [
            f"ID   {self.symbol[:5]}_{common.upper()}               {status};         900 AA.",
            f"AC   {self.accession}; Q9UNS7;",
            *_wrapped("DE", f"RecName: Full={self.name};"),
            *_wrapped("GN", genes),
            f"OS   {scientific} ({common}).",
            f"OX   NCBI_TaxID={taxon};",
            *(line for text in self._flat_comments() for line in _wrapped("CC", text, "    ")),
        ]
        if self.partners:
            lines.append("CC   -!- INTERACTION:")
        for gene, count, foreign in self.partners:
            xeno = " Xeno;" if foreign else ""
            lines.append(f"CC       {self.accession}; P03968: {gene};{xeno} NbExp={count};")
        for kind, start, end, note, pmids in self.features:
            place = f"{start}" if start == end else f"{start}..{end}"
            lines.append(f"FT   {_KEYS[kind]:<16}{place}")
            lines += _wrapped("FT", f'/note="{note}"', " " * 16, first=False)
            if pmids:
                proof = f'/evidence="{_codes(pmids)}"'
                lines += _wrapped("FT", proof, " " * 16, first=False)
        lines += [f"DR   Reactome; {one}; {name}." for one, name in self.pathways]
        lines += [f"DR   Ensembl; ENST1; ENSP1; {gene}. [P1-1]" for gene in self.ensembl]
        lines += [f"DR   HGNC; {self.hgnc}; {self.symbol}."] if self.hgnc else []
        lines += [f"DR   GeneID; {self.entrez}; -."] if self.entrez else []
        return "\n".join([*lines, "SQ   SEQUENCE   900 AA;", "     MAAASY", "//"]) + "\n"

    def _flat_comments(self) -> Any:
        for kind, molecule, text, pmids in self.texts:
            about = f"[{molecule}]: " if molecule else ""
            yield f"-!- {kind}: {about}{text}.{_braces(pmids)}{'.' if pmids else ''}"
        if self.locations:
            places = " ".join(f"{place}{_braces(pmids)}." for place, pmids in self.locations)
            yield f"-!- SUBCELLULAR LOCATION: {places} Note=Seen in cells."
        if self.isoforms:
            named = " ".join(
                f"Name={name}; IsoId={self.accession}-{number}; Sequence=Displayed;"
                for number, name in enumerate(self.isoforms, 1)
            )
            count = len(self.isoforms)
            yield f"-!- ALTERNATIVE PRODUCTS: Event=Splicing; Named isoforms={count}; {named}"

    def biomcp(self) -> str:
        """Return what biomcp-cli's `get protein` holds of it."""
        functions = [text for kind, _, text, _ in self.texts if kind == "FUNCTION"]
        return json.dumps(
            {
                "_meta": {"evidence_urls": []},
                "accession": self.accession,
                "entry_id": f"{self.symbol[:5]}_{self.organism[1].upper()}",
                "gene_symbol": self.symbol,
                "name": self.name,
                "organism": self.organism[0],
                "function": functions[0] if functions else "",
                "domains": [],
                "interactions": [],
            }
        )


def search(*proteins: Made) -> str:
    """Return search results of UniProt's REST service."""
    return json.dumps({"results": [protein.rest() for protein in proteins]})


def _evidences(pmids: list[str]) -> list[dict[str, str]]:
    return [{"evidenceCode": "ECO:0000269", "source": "PubMed", "id": pmid} for pmid in pmids]


def _codes(pmids: list[str]) -> str:
    return ", ".join(f"ECO:0000269|PubMed:{pmid}" for pmid in pmids)


def _braces(pmids: list[str]) -> str:
    return f" {{{_codes(pmids)}}}" if pmids else ""


def _wrapped(code: str, text: str, indent: str = "", first: bool = True) -> list[str]:
    lines = textwrap.wrap(text, 60, break_long_words=False)
    return [
        f"{code}   {'' if first and number == 0 else indent}{line}"
        for number, line in enumerate(lines)
    ]
