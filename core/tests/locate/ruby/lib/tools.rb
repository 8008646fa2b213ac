# MCP::Tool with tool_name "get_order"
class FetchTool < MCP::Tool
  tool_name "«get_order»get_order"
  description "Fetches an order"
  input_schema(
    properties: { «get_order.id»id: { type: "string" } },
    required: ["id"]
  )

  def self.call(id:, server_context:)
  end
end

class «list_orders»ListOrders < MCP::Tool
  input_schema(properties: { «list_orders.page»page: { type: "integer" } })
end

server.define_tool(name: "«cancel»cancel", description: "Cancels", input_schema: { properties: { «cancel.reason»reason: {} } }) do |reason:|
end
