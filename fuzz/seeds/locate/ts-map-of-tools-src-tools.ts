src/tools.ts
export const tools = {
  list_users: {
    description: "Lists users",
    parameters: z.object({ page: z.number() }),
    execute: async ({ page }) => page,
  },
  "get-user": tool({ description: "One user", inputSchema: z.object({ id: z.string() }) }),
};
