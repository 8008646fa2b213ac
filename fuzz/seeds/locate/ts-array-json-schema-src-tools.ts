src/tools.ts
import type { Tool } from "@modelcontextprotocol/sdk/types.js";

export const TOOLS: Tool[] = [
  {
    name: "create_issue",
    description: "Creates an issue",
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string", description: "title: what it is about" },
        "type": { type: "string" },
        labels: { type: "array", items: { type: "object", properties: { color: { type: "string" } } } },
      },
      required: ["title", "type"],
    },
  },
  {
    description: "Closes an issue",
    inputSchema: { type: "object", properties: { number: { type: "integer" } }, required: ["number"] },
    name: `close_issue`,
  },
];

export function serve(server: Server): void {
  server.setRequestHandler(ListToolsRequestSchema, async () => ({ tools: TOOLS }));
  server.setRequestHandler(CallToolRequestSchema, async (request) => {
    switch (request.params.name) {
      case "create_issue":
        return create(request.params.arguments);
      case "close_issue":
        return close(request.params.arguments);
    }
  });
}
