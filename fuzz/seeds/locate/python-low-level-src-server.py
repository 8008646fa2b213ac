src/server.py
class TimeTools(str, Enum):
    GET_CURRENT_TIME = "get_current_time"


@server.list_tools()
async def list_tools() -> list[Tool]:
    return [
        Tool(
            name=TimeTools.GET_CURRENT_TIME.value,
            description="Tells the time",
            inputSchema={"type": "object", "properties": {"timezone": {"type": "string"}}, "required": ["timezone"]},
        ),
        types.Tool(name="convert_time", description='It\'s "simple"', inputSchema=ConvertTime.model_json_schema()),
        {"name": "set_alarm", "description": "x", "inputSchema": {"properties": {"at": {}}}},
    ]


class ConvertTime(BaseModel):
    source: str
    time: Annotated[str, Field(description="24-hour")]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list:
    if name == "get_current_time":
        return []
    match name:
        case "convert_time":
            return []
