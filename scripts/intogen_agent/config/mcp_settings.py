"""The settings of the MCP servers."""

import re
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from intogen_agent.config.section import Positive, Seconds, Section

LogicalName = Literal[
    "gene_record", "protein_record", "article_search", "article_fetch", "trial_search"
]
Adapter = Literal[
    "store", "biomcp-python", "biomcp-cli", "augmented-nature-uniprot", "uniprot-mcp-server"
]
SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|AUTH|COOKIE|CREDENTIAL", re.IGNORECASE)
_KEY_PLACE = re.compile(r"\{(?:env|file):[^{}]+\}")


class Server(Section):
    """An MCP server: a program over stdio (`command`), or an address (`url`).

    `{python}`, `{store}`, `{log}` and `{prefix}` are filled into the command. Only the variables
    named in `env`, and those of proxies and certificates, reach it.
    """

    command: list[str] = []
    url: str | None = Field(None, description="Address of a server over streamable HTTP")
    headers: dict[str, str] = Field(
        {}, description="Headers of every request; {env:NAME} and {file:PATH} stand for keys"
    )
    prefix: Path | None = Field(None, description="What {prefix} in the command stands for")
    adapter: Adapter | None = Field(
        None, description="The server line it is asked as; null: the one its tools show"
    )
    tools: dict[LogicalName, str] = Field(
        {}, description="Its own tools for logical ones, where no line is known"
    )
    env: list[str] = Field([], description="Names of environment variables passed on")
    pass_network: bool = Field(True, description="Pass on the variables of proxies and CA bundles")
    set_env: dict[str, str] = Field({}, description="Fixed variables; no keys")
    mode: Literal["legacy", "auto"] = "legacy"
    start_timeout: Seconds = 60.0
    call_timeout: Seconds = 60.0

    @model_validator(mode="after")
    def _one_way_to_it(self) -> "Server":
        if bool(self.command) == (self.url is not None):
            raise ValueError("give either a command or a url")
        if self.prefix is None and any("{prefix}" in word for word in self.command):
            raise ValueError("the command has {prefix}, so give prefix: the folder it stands for")
        for name in self.set_env:
            if SECRET_NAME.search(name):
                raise ValueError(f"set_env: {name} looks like a key; export it and name it in env")
        for name, value in self.headers.items():
            if SECRET_NAME.search(name) and not _KEY_PLACE.search(value):
                raise ValueError(f"headers: {name} looks like a key; write {{env:NAME}} for it")
        return self


STORE_SERVER = Server(
    command=[
        "{python}",
        "-m",
        "intogen_agent",
        "serve-store",
        "--store",
        "{store}",
        "--log",
        "{log}",
    ]
)


class McpSettings(Section):
    """MCP servers and the tools that each phase may call."""

    servers: dict[str, Server] = {"store": STORE_SERVER}
    phase1: list[str] = Field(["store"], min_length=1, description="Servers of phase 1")
    phase2: list[str] = Field(
        ["store"], min_length=1, description="Servers of phase 2 and of the reviewer"
    )
    max_answer_bytes: Positive = Field(
        16_000_000, description="A longer answer of a server is not read (`oversized`)"
    )

    @model_validator(mode="after")
    def _servers_exist(self) -> "McpSettings":
        for phase, names in (("phase1", self.phase1), ("phase2", self.phase2)):
            for name in names:
                if name not in self.servers:
                    known = ", ".join(sorted(self.servers))
                    raise ValueError(f"{phase}: no server '{name}'; there are: {known}")
        return self
