shop/tools.py
@logged_tool()
def list_orders(page: int = 1): ...


def register(tools, namespace_prefix):
    @tools.reader("Read a shop")
    def read_shop(name: str): ...

    @mcp.tool(name=namespace_prefix + "close_shop")
    async def close_shop(reason: str): ...


@server.call_tool()
async def open_shop(name: str): ...
