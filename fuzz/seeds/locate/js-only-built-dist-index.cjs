dist/index.cjs
server.tool("ping", "Answers", { host: zod_1.z.string() }, handler);
