src/shop/server.py
"""A shop.

get_order fetches: @mcp.tool(name="get_order").
"""
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
async def get_order(order_id: str, *, verbose: bool = False) -> str:
    """Fetches an order.

    order_id: the number
    """
    return order_id


@mcp.tool(
    description="Finds orders",
    annotations={"readOnlyHint": True},
)
@traced("search")
def search_orders(
    query: Annotated[str, Field(description="query: what to look for")],
    limit: int = 10,
) -> list[str]:
    return []


@mcp.tool(name="cancel-order", description="Cancels")
def cancel(order_id: str) -> None: ...


@mcp.tool("refund")
def refund_order(amount: float): ...


@mcp.tool
def list_shops(): return []
