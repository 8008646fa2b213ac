#!/usr/bin/env node
// One object of its own for each tool.
const ADD = {
  name: '«add»add',
  description: "Adds; it's simple: a / b isn't",
  inputSchema: { type: 'object', properties: { «add.a»a: { type: 'number' }, «add.b»b: { type: 'number' } }, required: ['a', 'b'] },
}
const QUOTES = /["'`(]/g
const SUBTRACT = Object.assign({}, {
  name: '«subtract»subtract',
  inputSchema: { type: 'object', properties: { '«subtract.a»a': { type: 'number' } } },
})
if (method === 'tools/call') dispatch({ name: 'add', arguments: { a: 1 } })
