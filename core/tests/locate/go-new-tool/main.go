package main

// mcp.NewTool("get_order") is below.
func register(s *server.MCPServer) {
	tool := mcp.NewTool("«get_order»get_order",
		mcp.WithDescription("Fetches the \"id\""),
		mcp.WithString("«get_order.id»id", mcp.Required(), mcp.Description("The id")),
		mcp.WithNumber("«get_order.limit»limit"),
	)
	s.AddTool(tool, handle('"'))
}
