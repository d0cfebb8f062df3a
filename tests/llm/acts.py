"""What tests of the models let happen, and how they read it."""

from typing import Any

from scripted_server import (
    QUESTION,
    Ran,
)

from intogen_agent.config.roles import Role
from intogen_agent.llm.models import Models
from intogen_agent.llm.outcomes import Failed
from intogen_agent.mcp.schema import function_tool

TOOL = function_tool("gene_getter", "Gets a gene.", {"properties": {"gene": {"type": "string"}}})


async def ask(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION)


async def ask_with_tool(models: Models) -> Any:
    return await models.chat(Role.SUMMARIZER, QUESTION, [TOOL])


def failed(ran: Ran) -> Failed:
    assert isinstance(ran.value, Failed)
    return ran.value
