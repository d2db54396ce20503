/** Tests that the search for the canary finds it. */
import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CANARY, findCanary, requireNoCanary, requireSilent } from "./canary.ts";
import { createHome, startDaemon } from "./daemon.ts";

describe("the canary", () => {
  test.each([
    ["as it is", CANARY],
    ["in JSON", JSON.stringify({ v: CANARY })],
    ["in a URL", `/x?${new URLSearchParams({ v: CANARY })}`],
    ["in hex", Buffer.from(CANARY).toString("hex")],
    ["in base64", Buffer.from(CANARY).toString("base64")],
    ["in base64 inside other text", Buffer.from(`user:${CANARY}:more`).toString("base64")],
    ["in base64url at another alignment", Buffer.from(`users:${CANARY}`).toString("base64url")],
  ])("is found %s, deep in a home, and fails the journey", async (_how, text) => {
    using home = createHome();
    await mkdir(join(home.folder, "brains/main"), { recursive: true });
    const file = join(home.folder, "brains/main/NOTES.md");
    await writeFile(file, Buffer.concat([Buffer.from([0, 255, 10]), Buffer.from(`before ${text} after`)]));
    expect(findCanary(home.folder)).toEqual(["brains/main/NOTES.md"]);
    expect(() => requireNoCanary(home.folder)).toThrow("brains/main/NOTES.md");
    expect(() => requireSilent(`log: ${text}`)).toThrow("printed a secret");
    await writeFile(file, "");
    requireNoCanary(home.folder);
  });

  test("A9: fails the journey of a home that leaks it", async () => {
    const leak = () => {
      using home = createHome();
      writeFileSync(join(home.folder, "leak"), CANARY);
    };
    expect(leak).toThrow("leak");
  });

  test("E1: is a secret of every started house, sealed in its database", async () => {
    using home = createHome();
    await using house = await startDaemon(home.folder);
    expect((await house.ask("GET", "/api/houses/home/secrets")).json).toMatchObject([{ name: "CANARY", version: 1 }]);
    const files = (await readdir(home.folder)).filter((name) => name.startsWith("hearth.db"));
    const kept = await Promise.all(files.map((name) => readFile(join(home.folder, name))));
    expect(kept.some((bytes) => bytes.includes("CANARY"))).toBe(true);
  });
});
