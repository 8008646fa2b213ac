fun configure(server: Server) {
    server.addTool(
        name = "«get_forecast»get_forecast",
        description = "Forecast for ${place()}",
        inputSchema = ToolSchema(
            properties = buildJsonObject {
                putJsonObject("«get_forecast.latitude»latitude") { put("type", "number") }
            },
            required = listOf("latitude"),
        ),
    ) { request -> forecast(request) }
    server.addTool(Tool(name = "«alerts»alerts", inputSchema = Tool.Input()))
}

class Tools {
    @Tool("Lists what is stored")
    fun «listEntries»listEntries(@P("how many") «listEntries.count»count: Int): List<String> = emptyList()
}
