src/main/kotlin/Server.kt
fun configure(server: Server) {
    server.addTool(
        name = "get_forecast",
        description = "Forecast for ${place()}",
        inputSchema = ToolSchema(
            properties = buildJsonObject {
                putJsonObject("latitude") { put("type", "number") }
            },
            required = listOf("latitude"),
        ),
    ) { request -> forecast(request) }
    server.addTool(Tool(name = "alerts", inputSchema = Tool.Input()))
}

class Tools {
    @Tool("Lists what is stored")
    fun listEntries(@P("how many") count: Int): List<String> = emptyList()
}
