import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real house in a separate process, with failures that no code awaits. */
const PROGRAM = `
const { startHouse } = await import(${JSON.stringify(join(import.meta.dir, "main.ts"))});
const house = await startHouse({ home: process.argv[1], port: 0, announce: () => {} });
const met = { unhandledRejection: Promise.withResolvers(), uncaughtException: Promise.withResolvers() };
for (const [name, { resolve }] of Object.entries(met)) process.on(name, resolve);
Promise.reject(new Error("lost in a promise"));
setTimeout(() => { throw new Error("lost in a timer"); });
await Promise.all(Object.values(met).map(({ promise }) => promise));
console.log((await fetch(house.url + "/readyz")).status);
await house.stop();
process.exit(0);
`;

test("an unhandled rejection and an uncaught exception are logged, and the daemon keeps running", async () => {
  const home = mkdtempSync(join(tmpdir(), "hearth-last-"));
  try {
    const child = Bun.spawn([process.execPath, "--no-install", "-e", PROGRAM, join(home, "home")], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: import.meta.dir,
    });
    const [code, out, words] = await Promise.all([
      child.exited,
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect({ code, out: out.trim(), words }).toEqual({ code: 0, out: "200", words: "" });
    const log = readFileSync(join(home, "home/logs/hearth.log"), "utf8");
    for (const lost of ["lost in a promise", "lost in a timer"]) expect(log).toContain(lost);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});
