export declare const tools: { name: "ping"; inputSchema: {} }[];
