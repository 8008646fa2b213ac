src/main.ts
server.registerTool("ping", { inputSchema: { host: z.string() } }, handler);
