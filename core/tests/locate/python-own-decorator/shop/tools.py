@logged_tool()
def «list_orders»list_orders(«list_orders.page»page: int = 1): ...


def register(tools, namespace_prefix):
    @tools.reader("Read a shop")
    def «read_shop»read_shop(«read_shop.name»name: str): ...

    @mcp.tool(name=namespace_prefix + "«close_shop»close_shop")
    async def close_shop(«close_shop.reason»reason: str): ...


@server.call_tool()
async def open_shop(name: str): ...
