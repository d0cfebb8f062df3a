"""What a pair's Slurm job asks for, from a profile's resources of one stage.

As Snakemake and its Slurm plugin make it: memory is that of the largest stage of a group, its time
the sum over the stages.
"""

import ast
import math
import operator
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from intogen_agent.models import STAGE_FILES

PLACE = {"slurm_account": "--account", "slurm_partition": "--partition", "qos": "--qos"}
RESOURCES = (
    *PLACE, "runtime", "mem_mb", "mem", "mem_mb_per_cpu", "constraint", "slurm_extra"
)  # fmt: skip
# What an expression of a resource may use, at the first attempt.
NUMBERS: Mapping[str, float] = {"attempt": 1, "threads": 1}
OPERATORS: Mapping[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}
FUNCTIONS: Mapping[str, Callable[..., float]] = {
    "min": min, "max": max, "int": int, "round": round
}  # fmt: skip
MINUTES = {"s": 1 / 60, "m": 1.0, "h": 60.0, "d": 1440.0, "w": 10080.0}
MEGABYTES = {"k": 1 / 1000, "m": 1.0, "g": 1000.0, "t": 1_000_000.0}


@dataclass(frozen=True)
class JobSize:
    """The options of a job for Slurm's own commands.

    Attributes:
        place: Account, partition, QOS, constraint and the plugin's further options.
        minutes: Of one stage; None if the profile does not say.
        memory: The option of its memory, if any.
        untried: Resources whose expressions only Snakemake can work out.
    """

    place: tuple[str, ...]
    minutes: int | None
    memory: tuple[str, ...]
    untried: tuple[str, ...]

    def of_a_pair(self) -> list[str]:
        """Return the options of a pair's job: of five stages, one after another."""
        time = [] if self.minutes is None else [f"--time={self.minutes * len(STAGE_FILES)}"]
        return [*self.place, *time, *self.memory]


def first_attempt(resources: Mapping[str, str]) -> JobSize:
    """Return what a job asks for at its first attempt.

    Args:
        resources: The profile's default resources: numbers, expressions or texts.
    """
    minutes = _number(resources.get("runtime"), MINUTES)
    each = {
        "mem_mb_per_cpu": ("--mem-per-cpu", _number(resources.get("mem_mb_per_cpu"), MEGABYTES)),
        "mem_mb": ("--mem", _number(resources.get("mem_mb"), MEGABYTES)),
        "mem": ("--mem", _number(resources.get("mem"), MEGABYTES)),
    }
    memory = next((f"{option}={round(n)}M" for option, n in each.values() if n is not None), None)
    known = {"runtime": minutes, **{name: number for name, (_, number) in each.items()}}
    place = [f"{option}={resources[name]}" for name, option in PLACE.items() if resources.get(name)]
    if resources.get("constraint"):
        place.append(f"--constraint={resources['constraint']}")
    extra = _words(resources.get("slurm_extra", ""))
    place += extra or []
    untried = [name for name in known if resources.get(name) and known[name] is None]
    return JobSize(
        place=tuple(place),
        minutes=None if minutes is None else max(1, round(minutes)),
        memory=(memory,) if memory else (),
        untried=(*untried, *(["slurm_extra"] if extra is None else [])),
    )


def _words(text: str) -> list[str] | None:
    """Split the plugin's further options as a shell does; None if their quotes do not match."""
    try:
        return shlex.split(text)
    except ValueError:
        return None


def _number(text: str | None, units: Mapping[str, float]) -> float | None:
    """Return the value of an expression or of a text with a unit; None if it is neither."""
    if not text:
        return None
    if match := re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([a-z])[a-z]*\s*", text.lower()):
        return float(match[1]) * units[match[2]] if match[2] in units else None
    try:
        number = _value(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, ArithmeticError, TypeError):
        return None
    return number if math.isfinite(number) else None


def _value(node: ast.expr) -> float:
    """Work out an expression of numbers.

    Raises:
        ValueError: It holds something else.
    """
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name) if name in NUMBERS:
            return NUMBERS[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_value(left), _value(right))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand)
        case ast.Call(func=ast.Name(id=name), args=words, keywords=[]) if name in FUNCTIONS:
            return FUNCTIONS[name](*map(_value, words))
    raise ValueError("not of numbers")
