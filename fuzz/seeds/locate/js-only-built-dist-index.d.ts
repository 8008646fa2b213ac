dist/index.d.ts
export declare const tools: { name: "ping"; inputSchema: {} }[];
