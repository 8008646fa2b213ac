/* tabs, wide characters and line ends are made by the test */
	const a = "😀😀"; server.tool("«smile»smile", { «smile.ä»ä: z.string() }, run);
