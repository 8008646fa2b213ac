src/index.ts
const readPdf = tool().input(z.object({ path: z.string() })).handler(run);

createServer({ name: "pdf", version: "1.0.0", tools: { read_pdf: readPdf } });
