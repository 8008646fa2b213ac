// Cuts GitHub's own API description down to the requests that mcp-lint makes: path, method, parameters and
// the schema of the body.
import { readFileSync, writeFileSync } from "node:fs";

const [source, target] = process.argv.slice(2);
const USED = {
  "/repos/{owner}/{repo}/check-runs": ["post"],
  "/repos/{owner}/{repo}/check-runs/{check_run_id}": ["get", "patch"],
  "/repos/{owner}/{repo}/commits/{ref}/check-runs": ["get"],
  "/repos/{owner}/{repo}/code-scanning/sarifs": ["post"],
  "/repos/{owner}/{repo}/code-scanning/sarifs/{sarif_id}": ["get"],
  "/repos/{owner}/{repo}/contents/{path}": ["get", "put"],
  "/repos/{owner}/{repo}/git/ref/{ref}": ["get"],
  "/repos/{owner}/{repo}/git/refs": ["post"],
  "/repos/{owner}/{repo}/git/refs/{ref}": ["patch"],
  "/repos/{owner}/{repo}/pulls": ["get", "post"],
};

const { paths } = JSON.parse(readFileSync(source, "utf8"));
const cut = {};
for (const [path, methods] of Object.entries(USED)) {
  for (const method of methods) {
    const operation = paths[path]?.[method];
    if (!operation) throw new Error(`the description has no ${method} ${path}`);
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
    (cut[path] ??= {})[method] = {
      query: query.map((parameter) => parameter.name),
      body: operation.requestBody?.content["application/json"].schema ?? null,
    };
  }
}
writeFileSync(target, `${JSON.stringify(cut, null, 1)}\n`);
