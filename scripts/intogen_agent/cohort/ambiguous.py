"""Names of genes that mean something else in biomedical English."""

from pathlib import Path

from intogen_agent.errors import UserError

_HEADER = ["symbol", "other_meaning"]
# CAT, HR, MET: short words and abbreviations are as short as this.
_SHORT = 3


class AmbiguousNames:
    """The table of ambiguous names; short names count as ambiguous without being listed.

    Args:
        path: TSV with the columns symbol, other_meaning; lines that begin with `#` are comments.

    Raises:
        UserError: The table cannot be read.
    """

    def __init__(self, path: Path) -> None:
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(
                f"{path}: cannot be read ({error}); restore it from the repository"
            ) from error
        self._meanings: dict[str, str] = {}
        rows = [
            (number, line.split("\t"))
            for number, line in enumerate(lines, start=1)
            if line.strip() and not line.startswith("#")
        ]
        for number, row in rows:
            if row == _HEADER and not self._meanings:
                continue
            if len(row) != len(_HEADER) or not row[0].strip():
                raise UserError(
                    f"{path}, line {number}: a line is a name, a tab and its other meaning"
                )
            self._meanings[row[0].strip().casefold()] = row[1].strip()

    def meaning(self, name: str) -> str | None:
        """Return what else a name means; None if it stands for a gene alone."""
        key = name.strip().casefold()
        if key in self._meanings:
            return self._meanings[key]
        plain = len(key) == _SHORT and key.isalpha()
        return "a short word or abbreviation" if plain or len(key) < _SHORT else None
