src/index.test.ts
test("get_order", () => {
  server.registerTool("get_order", { inputSchema: { order_id: z.string() } }, handler);
});
