tools.go
package tools

type OrderArgs struct {
	ID    string `json:"id" jsonschema:"the id"`
	Limit int    `json:"limit,omitempty"`
}

func handleOrder(ctx context.Context, req *mcp.CallToolRequest, args OrderArgs) (*mcp.CallToolResult, any, error) {
	return nil, nil, nil
}

func Register(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "get_order", Description: `Fetches`}, handleOrder)
	tools := []mcp.Tool{
		{
			Name:        "list_orders",
			InputSchema: mcp.ToolInputSchema{Properties: map[string]any{"page": map[string]any{"type": "integer"}}},
		},
	}
	use(tools)
}
