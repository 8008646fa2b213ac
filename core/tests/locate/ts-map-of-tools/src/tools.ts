export const tools = {
  «list_users»list_users: {
    description: "Lists users",
    parameters: z.object({ «list_users.page»page: z.number() }),
    execute: async ({ page }) => page,
  },
  "«get-user»get-user": tool({ description: "One user", inputSchema: z.object({ «get-user.id»id: z.string() }) }),
};
