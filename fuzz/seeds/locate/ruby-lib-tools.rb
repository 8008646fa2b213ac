lib/tools.rb
# MCP::Tool with tool_name "get_order"
class FetchTool < MCP::Tool
  tool_name "get_order"
  description "Fetches an order"
  input_schema(
    properties: { id: { type: "string" } },
    required: ["id"]
  )

  def self.call(id:, server_context:)
  end
end

class ListOrders < MCP::Tool
  input_schema(properties: { page: { type: "integer" } })
end

server.define_tool(name: "cancel", description: "Cancels", input_schema: { properties: { reason: {} } }) do |reason:|
end
