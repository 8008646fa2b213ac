src/index.ts
const ReadFileArgs = z.object({
  path: z.string(),
  tail: z.number().optional(),
});

server.setRequestHandler(ListToolsRequestSchema, async () => {
  return {
    tools: [
      { name: "read_file", description: "Reads a file", inputSchema: zodToJsonSchema(ReadFileArgs) as ToolInput },
    ],
  };
});
