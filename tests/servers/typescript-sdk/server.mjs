// A server on the official SDK for TypeScript 2.x: `node server.mjs stdio|http [reject]`.
// With `reject` it speaks 2026-07-28 only. Over HTTP it listens on $PORT.
import { createServer } from 'node:http';
import { localhostOriginValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const [transport, legacy] = process.argv.slice(2);

function parcels() {
    const server = new McpServer({ name: 'parcels', version: '1.4.0' });
    server.registerTool(
        'track_parcel',
        {
            description: 'Shows where a parcel is and when it will arrive.',
            inputSchema: z.object({ code: z.string().describe('The code printed on the label, ten letters.') }).strict(),
            annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        },
        async ({ code }) => ({ content: [{ type: 'text', text: `${code} is on its way` }] }),
    );
    server.registerTool(
        'list_depots',
        {
            description: 'Lists the names of all depots that take parcels today.',
            inputSchema: z.object({}).strict(),
            outputSchema: z.object({ depots: z.array(z.string()).describe('Names of the depots.') }),
            annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        },
        async () => {
            const depots = ['Harbour', 'Station'];
            return { content: [{ type: 'text', text: JSON.stringify({ depots }) }], structuredContent: { depots } };
        },
    );
    server.registerResource(
        'tariff',
        'parcels://tariff',
        { description: 'What a parcel costs, by weight.', mimeType: 'text/plain' },
        async (uri) => ({ contents: [{ uri: uri.href, text: 'one coin a pound' }] }),
    );
    server.registerPrompt(
        'complain',
        {
            description: 'Writes a complaint about a late parcel.',
            argsSchema: z.object({ code: z.string().describe('The code printed on the label.') }),
        },
        ({ code }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Where is ${code}?` } }] }),
    );
    return server;
}

if (transport === 'http') {
    const handler = toNodeHandler(createMcpHandler(parcels, legacy ? { legacy } : {}));
    const allowsOrigin = localhostOriginValidation();
    const server = createServer((request, response) => {
        if (allowsOrigin(request, response)) {
            handler(request, response);
        }
    });
    server.listen(Number(process.env.PORT), '127.0.0.1', () => console.error('listening'));
} else {
    serveStdio(parcels, legacy ? { legacy } : {});
}
