"""The known cancer types of both code schemes, and the user's own."""

import csv
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import intogen_agent
from intogen_agent.cohort.options import ExtraCancerType
from intogen_agent.cohort.paths import PAN_CANCER, SUFFIXES, code_problem
from intogen_agent.cohort.symbols import shown
from intogen_agent.errors import UserError

SCHEMES = ("oncotree", "2020")
"""The schemes of the intOGen releases; the first is preferred where codes fit both."""

_HEADER = ["scheme", "code", "name", "parent", "search_terms", "efo_id"]


@dataclass(frozen=True, slots=True)
class CancerType:
    """A cancer type: its key is (scheme, code), since codes change meaning between schemes."""

    scheme: str
    code: str
    name: str
    parent: str = ""
    search_terms: tuple[str, ...] = ()
    efo_id: str = ""


@dataclass(frozen=True)
class CancerTypes:
    """All known cancer types by (scheme, code)."""

    entries: Mapping[tuple[str, str], CancerType]

    def get(self, scheme: str, code: str) -> CancerType | None:
        """Return a type by its exact key."""
        return self.entries.get((scheme, code))

    def known_in_any(self, code: str) -> bool:
        """Whether any scheme has this code."""
        return any((scheme, code) in self.entries for scheme in SUFFIXES)

    def resolve(self, scheme: str, code: str) -> CancerType | None:
        """Return what a code of a table in this scheme means: the user's own codes go first."""
        return self.get("custom", code) or self.get(scheme, code) or self._pan_cancer(code)

    def with_extra(self, extra: Iterable[ExtraCancerType]) -> "CancerTypes":
        """Return these types and the configuration's.

        Raises:
            UserError: An entry has an impossible code or scheme, or occurs twice.
        """
        added: dict[tuple[str, str], CancerType] = {}
        for item in map(_from_extra, extra):
            if (item.scheme, item.code) in added:
                raise UserError(f"cancer_types.extra: code {item.code} occurs twice; keep one")
            added[item.scheme, item.code] = item
        return CancerTypes({**self.entries, **added})

    def detect(self, codes: Collection[str], preferred: str = SCHEMES[0]) -> str:
        """Return the release scheme that knows most of the codes; `preferred` where both do."""
        known = {
            scheme: sum((scheme, code) in self.entries for code in codes) for scheme in SCHEMES
        }
        best = max(known.values())
        if preferred in known and known[preferred] == best:
            return preferred
        return next(scheme for scheme in SCHEMES if known[scheme] == best)

    def hint(self, code: str) -> str:
        """Say what an unknown code may be meant to be; an empty text where nothing is near."""
        for scheme in SCHEMES:
            if found := self.get(scheme, code):
                return f"{code} is a code of scheme {scheme} ({found.name})"
        wanted = code.casefold()
        for item in self.entries.values():
            if wanted in (item.code.casefold(), item.name.casefold()):
                return f"did you mean {item.code} ({item.name}, scheme {item.scheme})?"
        return ""

    def _pan_cancer(self, code: str) -> CancerType | None:
        return self.get(SCHEMES[0], code) if code == PAN_CANCER else None


def default_path() -> Path:
    """Return config/cancer_types.tsv of the checkout that the package is installed from."""
    return Path(intogen_agent.__file__).resolve().parents[2] / "config" / "cancer_types.tsv"


def load_cancer_types(path: Path, extra: Iterable[ExtraCancerType] = ()) -> CancerTypes:
    """Read the table of cancer types and add the configuration's.

    Args:
        path: TSV with the columns scheme, code, name, parent, search_terms (`|`-joined), efo_id.
        extra: Codes of the user's own.

    Raises:
        UserError: The file is missing or malformed, or an extra entry is impossible.
    """
    entries: dict[tuple[str, str], CancerType] = {}
    try:
        with path.open(encoding="utf-8", newline="") as handle:
            reader = csv.reader(handle, delimiter="\t", quoting=csv.QUOTE_NONE)
            header = next(reader, [])
            if header != _HEADER:
                raise UserError(
                    f"{path}, line 1: the columns of a cancer type table are {', '.join(_HEADER)}"
                )
            for row in reader:
                item = _from_row(path, reader.line_num, row)
                if (item.scheme, item.code) in entries:
                    raise UserError(
                        f"{path}, line {reader.line_num}, column code: {item.code} occurs twice in"
                        f" scheme {item.scheme}; keep one"
                    )
                entries[item.scheme, item.code] = item
    except OSError as error:
        raise UserError(
            f"{path}: cannot read the cancer types ({error.strerror}); give --cancer-types FILE"
        ) from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path}: not a UTF-8 table of cancer types ({error})") from error
    return CancerTypes(entries).with_extra(extra)


def _from_row(path: Path, line: int, row: list[str]) -> CancerType:
    if len(row) != len(_HEADER):
        raise UserError(f"{path}, line {line}: {len(row)} fields where the header has 6")
    scheme, code, name, parent, terms, efo_id = (field.strip() for field in row)
    problem = code_problem(code)
    if problem is not None:
        raise UserError(f"{path}, line {line}, column code: {problem}")
    if scheme not in SUFFIXES:
        raise UserError(
            f"{path}, line {line}, column scheme: {shown(scheme)} is none of {', '.join(SUFFIXES)}"
        )
    search_terms = tuple(term.strip() for term in terms.split("|") if term.strip())
    return CancerType(scheme, code, name, parent, search_terms, efo_id)


def _from_extra(extra: ExtraCancerType) -> CancerType:
    """Complete an entry: a name from the first term, a term from the name."""
    code = extra.code.strip()
    problem = code_problem(code)
    if problem is not None:
        raise UserError(f"cancer_types.extra: {problem}")
    if extra.scheme not in SUFFIXES:
        raise UserError(
            f"cancer_types.extra, code {code}: scheme {shown(extra.scheme)} is none of"
            f" {', '.join(SUFFIXES)}"
        )
    terms = tuple(filter(None, (_one_line(term) for term in extra.search_terms)))
    name = _one_line(extra.name)
    if not name and terms:
        name = terms[0]
    if name and not terms:
        terms = (name.lower(),)
    return CancerType(extra.scheme, code, name, extra.parent.strip(), terms)


def _one_line(text: str) -> str:
    return " ".join(text.split())
