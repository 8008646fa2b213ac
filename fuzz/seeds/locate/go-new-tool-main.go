main.go
package main

// mcp.NewTool("get_order") is below.
func register(s *server.MCPServer) {
	tool := mcp.NewTool("get_order",
		mcp.WithDescription("Fetches the \"id\""),
		mcp.WithString("id", mcp.Required(), mcp.Description("The id")),
		mcp.WithNumber("limit"),
	)
	s.AddTool(tool, handle('"'))
}
