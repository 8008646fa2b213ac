Tools/OrderTools.cs
using ModelContextProtocol.Server;

[McpServerToolType]
public static class OrderTools
{
    [McpServerTool(Name = "get_order"), Description("Fetches an order")]
    public static string Fetch([Description("The id")] string id) => id;

    [McpServerTool, Description("Lists what is there")]
    public static async Task<string> ListOpenOrdersAsync(
        HttpClient client,
        [Description("How many")] int limit = 10)
    {
        return @"C:\";
    }

    [McpServerTool(Title = "Echo", ReadOnly = true)]
    [Description("Echoes")]
    public static string Echo(string message) => $"hello {message}";
}
