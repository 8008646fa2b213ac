server.registerTool("«ping»ping", { inputSchema: { «ping.host»host: z.string() } }, handler);
