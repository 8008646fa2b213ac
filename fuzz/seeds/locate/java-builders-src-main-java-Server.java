src/main/java/Server.java
class Server {
    void register(McpSyncServer server) {
        var add = new McpSchema.Tool("add", "Adds", """
            {"type": "object", "properties": {"a": {"type": "number"}}}
            """);
        var weather = McpSchema.Tool.builder()
            .name("weather")
            .description("Tells the weather")
            .inputSchema(Map.of("properties", Map.of("city", Map.of("type", "string"))))
            .build();
    }
}
