src/server.ts
const SearchShape = {
  query: z.string(),
  limit: z.number().int().optional(),
};

export function register(server: McpServer): void {
  server.tool<typeof SearchShape>("search", "Searches the notes", SearchShape, async ({ query, limit }) => {
    return { content: [{ type: "text", text: await run(query, limit) }] };
  });
  server.tool('delete-note', 'Deletes a note', { id: z.string() }, async ({ id }) => remove(id));
}

export async function use(client: Client) {
  return client.callTool({ name: "search", arguments: { query: "x" } });
}
