/**
 * Recreates scripts/long-functions.json: the functions that are longer than the rule
 * `house/function-length` allows. Run it after a file was renamed or a function was split. It
 * prints what was added or grew; a change must do neither.
 */
import { join } from "node:path";

const root = join(import.meta.dir, "..");
const file = Bun.file(join(root, "scripts/long-functions.json"));
const before: Readonly<Record<string, number>> = (await file.exists()) ? await file.json() : {};
await file.write("{}\n");

const command = [process.execPath, "--no-install", "node_modules/oxlint/bin/oxlint", "--format=json", "packages"];
const child = Bun.spawn(command, { cwd: root, stdout: "pipe", stderr: "inherit" });
const { diagnostics }: { diagnostics: readonly { readonly code?: string; readonly message: string }[] } = JSON.parse(
  await child.stdout.text(),
);

const longest = new Map<string, number>();
for (const { message } of diagnostics.filter(({ code }) => code === "house(function-length)")) {
  const [, key = "", lines] = /^(\S+) has (\d+) lines/.exec(message) ?? [];
  longest.set(key, Math.max(longest.get(key) ?? 0, Number(lines)));
}
const after = Object.fromEntries([...longest].sort(([a], [b]) => (a < b ? -1 : 1)));
await file.write(`${JSON.stringify(after, undefined, 2)}\n`);

for (const [key, lines] of Object.entries(after))
  if (lines > (before[key] ?? 0)) console.log(`${key}: ${lines} lines, before ${before[key] ?? "none"}`);
console.log(`${Object.keys(after).length} long functions, before ${Object.keys(before).length}`);
