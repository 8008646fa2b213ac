"""A shop.

get_order fetches: @mcp.tool(name="get_order").
"""
from fastmcp import FastMCP

mcp = FastMCP("shop")


@mcp.tool()
async def «get_order»get_order(«get_order.order_id»order_id: str, *, «get_order.verbose»verbose: bool = False) -> str:
    """Fetches an order.

    order_id: the number
    """
    return order_id


@mcp.tool(
    description="Finds orders",
    annotations={"readOnlyHint": True},
)
@traced("search")
def «search_orders»search_orders(
    «search_orders.query»query: Annotated[str, Field(description="query: what to look for")],
    «search_orders.limit»limit: int = 10,
) -> list[str]:
    return []


@mcp.tool(name="«cancel-order»cancel-order", description="Cancels")
def cancel(«cancel-order.order_id»order_id: str) -> None: ...


@mcp.tool("«refund»refund")
def refund_order(«refund.amount»amount: float): ...


@mcp.tool
def «list_shops»list_shops(): return []
