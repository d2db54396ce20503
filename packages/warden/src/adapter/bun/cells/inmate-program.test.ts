import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createByteLink, type InmateFrame, LINK_VERSION, type WardenFrame } from "@hearth/protocol";
import { createInmateProgram } from "./inmate-program.ts";

const within = async (work: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-program-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** A folder in which two starts built the program at the same time. A build takes seconds. */
let built: string;
let program: string;
let programOfOther: string;
const USED = ["inmate-00000000deadbeef", "inmate-00000000deadbeef.1"];
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), "hearth-program-"));
  writeFileSync(join(built, "inmate-0123456789abcdef.js"), "old");
  mkdirSync(join(built, "inmate-fedcba9876543210"));
  writeFileSync(join(built, "inmate-fedcba9876543210", "main.js"), "old");
  writeFileSync(join(built, "other"), "stays");
  const dayAgo = Date.now() / 1000 - 25 * 60 * 60;
  for (const name of readdirSync(built)) utimesSync(join(built, name), dayAgo, dayAgo);
  for (const name of USED) mkdirSync(join(built, name));
  const start = () => createInmateProgram("/nowhere", built)();
  [program, programOfOther] = await Promise.all([start(), start()]);
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const nameIn = (folder: string, program: string): string => program.slice(folder.length + 1, -"/main.js".length);

test("the inmate's program runs and sends hello without any other file of Hearth", () =>
  within(async (folder) => {
    const child = Bun.spawn([process.execPath, "--no-install", program, folder], {
      cwd: "/",
      env: {},
      stdin: "pipe",
      stdout: "pipe",
      stderr: "inherit",
    });
    const link = createByteLink<WardenFrame>({ bytes: child.stdout, write: () => {}, close: () => {} }, "warden");
    const { value } = await link.frames[Symbol.asyncIterator]().next();
    expect(value as InmateFrame).toMatchObject({ type: "hello", version: LINK_VERSION });
    await child.stdin.end();
    expect(await child.exited).toBe(0);
  }));

test("the code before hello is a small part of the program, and each part is compiled ahead", () => {
  const sizes = new Map(
    readdirSync(dirname(program)).map((name) => [name, statSync(join(dirname(program), name)).size]),
  );
  const parts = [...sizes.keys()].filter((name) => name.endsWith(".js"));
  expect(parts.sort()).toEqual([
    "bun-tools.js",
    "chart.js",
    "document.js",
    "door-host.js",
    "inmate.js",
    "main.js",
    "pdf.js",
  ]);
  for (const part of parts) expect(sizes.get(`${part}.jsc`)).toBeGreaterThan(0);
  expect(sizes.get("main.js")).toBeLessThan(32 * 1024);
});

test("two starts that build it at the same time share one program, leave no draft, and remove builds that were unused for a day", () => {
  expect(programOfOther).toBe(program);
  expect(readdirSync(built).sort()).toEqual([nameIn(built, program), ...USED, "other"].sort());
  expect(existsSync("/nowhere")).toBe(false);
});

test("it is built once for the same sources", async () => {
  const made = statSync(program).mtimeMs;
  expect(await createInmateProgram("/nowhere", built)()).toBe(program);
  expect(statSync(program).mtimeMs).toBe(made);
});

test("a start marks the program as used, and rebuilds it when it was deleted", () =>
  within(async (folder) => {
    cpSync(built, folder, { recursive: true });
    const start = createInmateProgram("/nowhere", folder);
    const first = await start();
    utimesSync(dirname(first), 0, 0);
    await start();
    expect(statSync(dirname(first)).mtimeMs).toBeGreaterThan(0);
    rmSync(dirname(first), { recursive: true });
    expect(await start()).toBe(first);
    expect(statSync(first).isFile()).toBe(true);
  }));

test("with a read-only checkout, the program is kept in the home", () =>
  within(async (folder) => {
    const kept = await createInmateProgram(folder, "/proc/nowhere")();
    expect(kept.startsWith(`${folder}/inmate-`)).toBe(true);
    expect(await createInmateProgram(folder, "/proc/nowhere")()).toBe(kept);
  }));

test("without a writable folder, it reports that", async () => {
  const refusal = await createInmateProgram("/proc/nowhere", "/proc/elsewhere")().catch((error: unknown) => error);
  expect(String(refusal)).toContain("/proc/nowhere");
});
