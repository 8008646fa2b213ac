const ReadFileArgs = z.object({
  «read_file.path»path: z.string(),
  «read_file.tail»tail: z.number().optional(),
});

server.setRequestHandler(ListToolsRequestSchema, async () => {
  return {
    tools: [
      { name: "«read_file»read_file", description: "Reads a file", inputSchema: zodToJsonSchema(ReadFileArgs) as ToolInput },
    ],
  };
});
