'use strict';

// The server fetches a page from its service when it starts. Where no name can be looked up,
// it behaves the same on a machine with a network as on one without.
const dns = require('node:dns');

dns.lookup = (hostname, options, callback) => {
  const done = typeof options === 'function' ? options : callback;
  const error = new Error(`getaddrinfo ENOTFOUND ${hostname}`);
  error.code = 'ENOTFOUND';
  process.nextTick(done, error);
};
