dist/index.js
"use strict";
server.tool("ping", "Answers", { host: zod_1.z.string() }, (_a) => __awaiter(void 0, [_a], void 0, function* ({ host }) { return host; }));
