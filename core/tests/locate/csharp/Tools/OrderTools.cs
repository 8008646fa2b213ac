using ModelContextProtocol.Server;

[McpServerToolType]
public static class OrderTools
{
    [McpServerTool(Name = "«get_order»get_order"), Description("Fetches an order")]
    public static string Fetch([Description("The id")] string «get_order.id»id) => id;

    [McpServerTool, Description("Lists what is there")]
    public static async Task<string> «list_open_orders»ListOpenOrdersAsync(
        HttpClient client,
        [Description("How many")] int «list_open_orders.limit»limit = 10)
    {
        return @"C:\";
    }

    [McpServerTool(Title = "Echo", ReadOnly = true)]
    [Description("Echoes")]
    public static string «echo»Echo(string «echo.message»message) => $"hello {message}";
}
