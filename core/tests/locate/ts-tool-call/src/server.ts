const SearchShape = {
  «search.query»query: z.string(),
  «search.limit»limit: z.number().int().optional(),
};

export function register(server: McpServer): void {
  server.tool<typeof SearchShape>("«search»search", "Searches the notes", SearchShape, async ({ query, limit }) => {
    return { content: [{ type: "text", text: await run(query, limit) }] };
  });
  server.tool('«delete-note»delete-note', 'Deletes a note', { «delete-note.id»id: z.string() }, async ({ id }) => remove(id));
}

export async function use(client: Client) {
  return client.callTool({ name: "search", arguments: { query: "x" } });
}
