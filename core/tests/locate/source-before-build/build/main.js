server.registerTool("ping", { inputSchema: { host: z.string() } }, handler);
