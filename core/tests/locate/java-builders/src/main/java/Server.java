class Server {
    void register(McpSyncServer server) {
        var add = new McpSchema.Tool("«add»add", "Adds", """
            {"type": "object", "properties": {"a": {"type": "number"}}}
            """);
        var weather = McpSchema.Tool.builder()
            .name("«weather»weather")
            .description("Tells the weather")
            .inputSchema(Map.of("properties", Map.of("«weather.city»city", Map.of("type", "string"))))
            .build();
    }
}
