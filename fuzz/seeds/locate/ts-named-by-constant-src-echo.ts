src/echo.ts
export const EchoSchema = z.object({ message: z.string() });

const name = "echo";
const config = {
  title: "Echo Tool",
  description: "Echoes back",
  inputSchema: EchoSchema,
};

export const registerEchoTool = (server: McpServer) => {
  server.registerTool(name, config, async (args) => ({ content: [{ type: "text", text: args.message }] }));
};
