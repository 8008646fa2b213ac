app.py
from mcp.server import MCPServer

server = MCPServer("notes")


class NoteInput(BaseModel):
    title: str = Field(description="The title")
    body: str


@server.tool(title="Add")
def add_note(params: NoteInput) -> str:
    return params.title


def remove_note(title: str) -> None:
    """Removes a note."""


server.add_tool(remove_note)
