build/main.js
server.registerTool("ping", { inputSchema: { host: z.string() } }, handler);
