package shop;

@Service
public class OrderTools {

    @Tool(description = "Fetches an order")
    public Order «getOrder»getOrder(@ToolParam(description = "The orderId") String «getOrder.orderId»orderId, int «getOrder.limit»limit) {
        return orders.getOrder(orderId);
    }

    @McpTool(name = "«cancel-order»cancel-order", description = "Cancels")
    @Transactional
    public void cancel(@McpToolParam(required = true) String «cancel-order.reason»reason) {
    }
}
