import type { Tool } from "@modelcontextprotocol/sdk/types.js";

export const TOOLS: Tool[] = [
  {
    name: "«create_issue»create_issue",
    description: "Creates an issue",
    inputSchema: {
      type: "object",
      properties: {
        «create_issue.title»title: { type: "string", description: "title: what it is about" },
        "«create_issue.type»type": { type: "string" },
        labels: { type: "array", items: { type: "object", properties: { «create_issue.labels.color»color: { type: "string" } } } },
      },
      required: ["title", "type"],
    },
  },
  {
    description: "Closes an issue",
    inputSchema: { type: "object", properties: { «close_issue.number»number: { type: "integer" } }, required: ["number"] },
    name: `«close_issue»close_issue`,
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
