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

/** A folder with one built program: a build takes seconds. */
let built: string;
let program: string;
beforeAll(async () => {
  built = mkdtempSync(join(tmpdir(), "hearth-program-"));
  program = await createInmateProgram("/nowhere", built)();
});
afterAll(() => rmSync(built, { recursive: true, force: true }));

const nameIn = (folder: string, program: string): string => program.slice(folder.length + 1, -"/main.js".length);

test("the inmate's program runs and sends hello without any other file of Hearth", () =>
  within(async (folder) => {
    expect(readdirSync(built)).toEqual([nameIn(built, program)]);
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

test("it is built once for the same sources, and removes other builds that were unused for a day", () =>
  within(async (folder) => {
    writeFileSync(join(folder, "inmate-0123456789abcdef.js"), "old");
    mkdirSync(join(folder, "inmate-fedcba9876543210"));
    writeFileSync(join(folder, "inmate-fedcba9876543210", "main.js"), "old");
    writeFileSync(join(folder, "other"), "stays");
    const dayAgo = Date.now() / 1000 - 25 * 60 * 60;
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), dayAgo, dayAgo);
    const used = ["inmate-00000000deadbeef", "inmate-00000000deadbeef.1"];
    for (const name of used) mkdirSync(join(folder, name));
    const first = await createInmateProgram("/nowhere", folder)();
    const made = statSync(first).mtimeMs;
    expect(nameIn(folder, first)).toBe(nameIn(built, program));
    expect(await createInmateProgram("/nowhere", folder)()).toBe(first);
    expect(statSync(first).mtimeMs).toBe(made);
    expect(readdirSync(folder).sort()).toEqual([nameIn(folder, first), ...used, "other"].sort());
  }));

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

test("two starts that build it at the same time share one program, and leave no draft", () =>
  within(async (folder) => {
    const ours = join(folder, "ours");
    const home = join(folder, "home");
    const start = () => createInmateProgram(home, ours)();
    const [first, second] = await Promise.all([start(), start()]);
    expect(second).toBe(first);
    expect(readdirSync(ours)).toEqual([nameIn(ours, first)]);
    expect(existsSync(home)).toBe(false);
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
