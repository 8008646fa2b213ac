from mcp.server import MCPServer

server = MCPServer("notes")


class NoteInput(BaseModel):
    «add_note.params.title»title: str = Field(description="The title")
    «add_note.params.body»body: str


@server.tool(title="Add")
def «add_note»add_note(«add_note.params»params: NoteInput) -> str:
    return params.title


def remove_note(«remove_note.title»title: str) -> None:
    """Removes a note."""


server.add_tool(«remove_note»remove_note)
