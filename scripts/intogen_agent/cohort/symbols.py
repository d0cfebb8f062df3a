"""Which gene symbols are legal, and what is wrong with the others."""

import re
from datetime import date, timedelta

MAX_SYMBOL = 40
MISSING = frozenset({"", "NA", "N/A", "nan", "NaN", "None", "NULL", "null", "-", "."})
"""What tables write where there is no value."""

# HGNC: a letter first, then letters, digits and hyphens (HLA-A, H3-3A, LY75-CD302); Ensembl adds
# dots (AC012345.1) and underscores (GTF2H2C_2); `@` ends the name of a gene cluster (HOXA@).
_LEGAL = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-._][A-Za-z0-9]+)*@?")
_ALLOWED = re.compile(r"[A-Za-z0-9._@-]")

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_TITLES = "|".join(month.title() for month in _MONTHS)
_DAY_MONTH = re.compile(r"(\d{1,2})[-/ .]?([A-Za-z]{3,9})(?:[-/ .]\d{2,4})?")
_MONTH_DAY = re.compile(rf"({_TITLES})[a-z]*[-/ .](\d{{1,2}})")
_ISO_DATE = re.compile(r"\d{4}-(\d{2})-(\d{2})(?:[ T].*)?")
_SERIAL = re.compile(r"(\d{5})(?:\.0+)?")
_SERIAL_EPOCH = date(1899, 12, 30)
_SERIALS = range(20_000, 80_000)  # 1954 to 2119: what a spreadsheet makes of a symbol today

# HGNC's present symbols of the names that Excel reads as "October 4" and "December 1".
_OCTOBER = {
    1: "POU2F1",
    2: "POU2F2",
    3: "POU5F1",
    4: "POU5F1",
    6: "POU3F1",
    7: "POU3F2",
    8: "POU3F3",
    11: "POU2F3",
}
_DECEMBER = {1: "DELEC1 (was DEC1)", 2: "BHLHE41 (also called DEC2)"}


def shown(text: str, limit: int = 40) -> str:
    """Return a value for people: quoted, control characters escaped, long ones cut."""
    cut = text if len(text) <= limit else f"{text[:limit]}..."
    return repr(cut)


def symbol_problem(symbol: str) -> str | None:
    """Say why a text is no gene symbol.

    Args:
        symbol: The trimmed text.

    Returns:
        The reason, naming the text, or None when the symbol is legal. Dates that Excel made of a
        symbol are explained with the symbols they were likely made of (Ziemann et al. 2016,
        doi:10.1186/s13059-016-1044-7; HGNC renamed the genes in 2020).
    """
    if symbol in MISSING:
        return f"gene symbol is empty ({shown(symbol)})" if symbol else "gene symbol is empty"
    if len(symbol) > MAX_SYMBOL:
        return f"gene symbol {shown(symbol)} has {len(symbol)} characters (at most {MAX_SYMBOL})"
    spreadsheet = _spreadsheet_date(symbol)
    if spreadsheet is not None:
        return spreadsheet
    if _LEGAL.fullmatch(symbol):
        return None
    illegal = next((char for char in symbol if not _ALLOWED.fullmatch(char)), None)
    if illegal is not None:
        return f"gene symbol {shown(symbol)} contains {shown(illegal)}; give one HGNC symbol"
    if not symbol[0].isalpha():
        return f"gene symbol {shown(symbol)} does not begin with a letter; give an HGNC symbol"
    return f"gene symbol {shown(symbol)} is not formed like an HGNC symbol"


def _spreadsheet_date(text: str) -> str | None:
    """Explain a date or a date's serial number; None for anything else."""
    found = _month_and_day(text)
    if found is None:
        return None
    likely = _likely_symbols(*found)
    remedy = f"likely {likely}" if likely else "take the symbol from the original source"
    return f"gene symbol {shown(text)} is a date made by a spreadsheet: {remedy}"


def _month_and_day(text: str) -> tuple[int, int] | None:
    if match := _DAY_MONTH.fullmatch(text):
        return _known_month(match[2], match[1])
    if match := _MONTH_DAY.fullmatch(text):
        return _known_month(match[1], match[2])
    if match := _ISO_DATE.fullmatch(text):
        return int(match[1]), int(match[2])
    if (match := _SERIAL.fullmatch(text)) and int(match[1]) in _SERIALS:
        day = _SERIAL_EPOCH + timedelta(days=int(match[1]))
        return day.month, day.day
    return None


def _known_month(name: str, day: str) -> tuple[int, int] | None:
    key = name[:3].lower()
    return (_MONTHS.index(key) + 1, int(day)) if key in _MONTHS else None


def _likely_symbols(month: int, number: int) -> str:
    """Return the symbols that a spreadsheet turns into this day, or an empty text."""
    if month == 3 and 1 <= number <= 11:
        mitochondrial = f" or MTARC{number} (was MARC{number})" if number <= 2 else ""
        return f"MARCHF{number} (was MARCH{number}){mitochondrial}"
    if month == 9 and (1 <= number <= 12 or number == 14):
        return f"SEPTIN{number} (was SEPT{number})"
    if month == 9 and number == 15:
        return "SELENOF (was SEP15)"
    if month == 10 and number in _OCTOBER:
        return f"{_OCTOBER[number]} (also called OCT{number})"
    return _DECEMBER.get(number, "") if month == 12 else ""
