"""A server on the official SDK for Python 2.x: `python server.py stdio|http`. Over HTTP it listens on $PORT."""

import os
import socket
import sys
from typing import Annotated

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp.types import ToolAnnotations
from pydantic import Field

server = MCPServer("parcels", version="1.4.0")
READS = ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


@server.tool(annotations=READS)
def track_parcel(code: Annotated[str, Field(description="The code printed on the label, ten letters.")]) -> str:
    """Shows where a parcel is and when it will arrive."""
    return f"{code} is on its way"


@server.tool(annotations=READS)
def list_depots() -> list[str]:
    """Lists the names of all depots that take parcels today."""
    return ["Harbour", "Station"]


@server.resource("parcels://tariff", mime_type="text/plain")
def tariff() -> str:
    """What a parcel costs, by weight."""
    return "one coin a pound"


@server.prompt()
def complain(code: Annotated[str, Field(description="The code printed on the label.")]) -> str:
    """Writes a complaint about a late parcel."""
    return f"Where is {code}?"


def serve_http() -> None:
    listener = socket.create_server(("127.0.0.1", int(os.environ["PORT"])))
    print("listening", file=sys.stderr, flush=True)
    app = server.streamable_http_app()
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


if sys.argv[1] == "http":
    serve_http()
else:
    server.run("stdio")
