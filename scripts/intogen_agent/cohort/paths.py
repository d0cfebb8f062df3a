"""Folder names of genes and cancer types.

Every name is a pure function of the symbol or of (scheme, code): it does not depend on what else
is in the table, and different inputs have different names also where a disk ignores case. Names
never begin with `_`, `.` or `-`, which belong to the run and to options.
"""

import hashlib
import re

from intogen_agent.cohort.symbols import MISSING, shown, symbol_problem
from intogen_agent.errors import UserError

PAN_CANCER = "CANCER"
"""The code of a gene's pan-cancer task: the root of both schemes."""

MAX_CODE = 80
SUFFIXES = {"oncotree": "", "2020": ".2020", "custom": ".custom"}

_UPPER_SYMBOL = re.compile(r"[A-Z0-9._@-]+")
_ORF = re.compile(r"C(?:[1-9][0-9]?|X|Y)orf[1-9][0-9]*")
_ORF_TWIN = re.compile(r"C(?:[1-9][0-9]?|X|Y)ORF[1-9][0-9]*")
_SAFE = re.compile(r"[A-Za-z0-9_-]")
_HASHED = re.compile(r"\+[0-9A-F]{6}$")
_MAX_STEM = 80


def gene_path(symbol: str) -> str:
    """Return a gene's folder name.

    An upper-case symbol and HGNC's C9orf72 form are their own names. Any other legal symbol could
    meet one of these on a disk that ignores case, so it gets `+` and six digits of its SHA-256.

    Raises:
        UserError: The text is no legal symbol.
    """
    problem = symbol_problem(symbol)
    if problem is not None:
        raise UserError(problem)
    if _ORF.fullmatch(symbol):
        return symbol
    if _UPPER_SYMBOL.fullmatch(symbol) and not _ORF_TWIN.fullmatch(symbol):
        return symbol
    return _with_hash(symbol, symbol)


def cancer_path(scheme: str, code: str) -> str:
    """Return a cancer type's folder name.

    OncoTree codes are plain, the 2020 scheme ends in `.2020`, users' and unknown codes in
    `.custom`; CANCER is the pan-cancer task in every scheme. Unsafe characters are written as
    `+XX` (hexadecimal UTF-8, MDS/MPN is MDS+2FMPN); codes with lower-case letters, very long ones
    and those that look as if they ended in a hash get `+` and six digits of their SHA-256.

    Args:
        scheme: `oncotree`, `2020` or `custom`.
        code: The trimmed code.

    Raises:
        UserError: The code cannot be one (see `code_problem`), or the scheme is unknown.
    """
    if scheme not in SUFFIXES:
        raise UserError(f"cancer type scheme {shown(scheme)} is none of {', '.join(SUFFIXES)}")
    problem = code_problem(code)
    if problem is not None:
        raise UserError(problem)
    if code == PAN_CANCER:
        return PAN_CANCER
    stem = "".join(
        char if _SAFE.fullmatch(char) and (index or char not in "_-") else _escaped(char)
        for index, char in enumerate(code)
    )
    if len(stem) > _MAX_STEM or _HASHED.search(stem) or any("a" <= char <= "z" for char in code):
        stem = _with_hash(stem[:_MAX_STEM], code)
    return f"{stem}{SUFFIXES[scheme]}"


def code_problem(code: str) -> str | None:
    """Say why a text cannot be a cancer type code, or return None."""
    if code in MISSING:
        return f"cancer type is empty ({shown(code)})" if code else "cancer type is empty"
    if len(code) > MAX_CODE:
        return f"cancer type {shown(code)} has {len(code)} characters (at most {MAX_CODE})"
    if not code.isprintable():
        return f"cancer type {shown(code)} contains a control character"
    return None


def _escaped(char: str) -> str:
    return "".join(f"+{byte:02X}" for byte in char.encode())


def _with_hash(stem: str, text: str) -> str:
    return f"{stem}+{hashlib.sha256(text.encode()).hexdigest()[:6]}"
