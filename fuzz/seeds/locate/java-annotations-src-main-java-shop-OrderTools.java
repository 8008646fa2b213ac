src/main/java/shop/OrderTools.java
package shop;

@Service
public class OrderTools {

    @Tool(description = "Fetches an order")
    public Order getOrder(@ToolParam(description = "The orderId") String orderId, int limit) {
        return orders.getOrder(orderId);
    }

    @McpTool(name = "cancel-order", description = "Cancels")
    @Transactional
    public void cancel(@McpToolParam(required = true) String reason) {
    }
}
