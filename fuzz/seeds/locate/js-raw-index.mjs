index.mjs
#!/usr/bin/env node
// One object of its own for each tool.
const ADD = {
  name: 'add',
  description: "Adds; it's simple: a / b isn't",
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
}
const QUOTES = /["'`(]/g
const SUBTRACT = Object.assign({}, {
  name: 'subtract',
  inputSchema: { type: 'object', properties: { 'a': { type: 'number' } } },
})
if (method === 'tools/call') dispatch({ name: 'add', arguments: { a: 1 } })
