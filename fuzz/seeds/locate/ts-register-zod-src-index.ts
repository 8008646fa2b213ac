src/index.ts
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";

const server = new McpServer({ name: "get_order", version: "1.0.0" });

// Registers get_order: server.registerTool("get_order", …)
server.registerTool(
  "get_order",
  {
    title: "Get an order",
    description: "Fetches one order; search_orders finds its number",
    inputSchema: {
      order_id: z.string().describe("The order_id: as printed"),
      lines: z.array(z.object({ sku: z.string() })).optional(),
    },
  },
  async ({ order_id, lines }) => ({ content: [{ type: "text", text: `${order_id}: ${lines}` }] }),
);

server.registerTool("search_orders", { description: "Finds orders", inputSchema: { description: z.string() } }, async ({ description }) => find(description));
