const readPdf = tool().input(z.object({ «read_pdf.path»path: z.string() })).handler(run);

createServer({ name: "pdf", version: "1.0.0", tools: { «read_pdf»read_pdf: readPdf } });
