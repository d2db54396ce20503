/**
 * Recreates tests/house/language-baseline.json: the findings per file that existed when the rule
 * was added. Run it after a file was rewritten or renamed. It prints the files whose count grew; a
 * change must not do that.
 */
import { join } from "node:path";
import { judgeRepository } from "./language.ts";
import { root } from "./source.ts";

const file = Bun.file(join(import.meta.dir, "language-baseline.json"));
const before: Readonly<Record<string, number>> = (await file.exists()) ? await file.json() : {};
const found = await judgeRepository(root);
const after = Object.fromEntries([...found].map(([path, findings]) => [path, findings.length]));
await file.write(`${JSON.stringify(after, undefined, 2)}\n`);

const total = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

for (const [path, count] of Object.entries(after))
  if (count > (before[path] ?? 0)) console.log(`${path}: ${count} findings, before ${before[path] ?? 0}`);
console.log(`${total(after)} findings, before ${total(before)}`);
