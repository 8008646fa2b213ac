src/server.ts
/* tabs, wide characters and line ends are made by the test */
	const a = "😀😀"; server.tool("smile", { ä: z.string() }, run);
