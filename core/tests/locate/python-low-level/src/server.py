class TimeTools(str, Enum):
    GET_CURRENT_TIME = "get_current_time"


@server.list_tools()
async def list_tools() -> list[Tool]:
    return [
        Tool(
            name=TimeTools.«get_current_time»GET_CURRENT_TIME.value,
            description="Tells the time",
            inputSchema={"type": "object", "properties": {"«get_current_time.timezone»timezone": {"type": "string"}}, "required": ["timezone"]},
        ),
        types.Tool(name="«convert_time»convert_time", description='It\'s "simple"', inputSchema=ConvertTime.model_json_schema()),
        {"name": "«set_alarm»set_alarm", "description": "x", "inputSchema": {"properties": {"«set_alarm.at»at": {}}}},
    ]


class ConvertTime(BaseModel):
    «convert_time.source»source: str
    «convert_time.time»time: Annotated[str, Field(description="24-hour")]


@server.call_tool()
async def call_tool(name: str, arguments: dict) -> list:
    if name == "get_current_time":
        return []
    match name:
        case "convert_time":
            return []
