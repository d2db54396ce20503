/** The executable of a release, built from this checkout, on a machine that has nothing else. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HERE = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
const BUILD_MS = 300_000;

let folder: string;
let executable: string;

/** Runs the release script in a checkout. Resolves with the path of the executable. */
const release = async (checkout: string, to: string): Promise<string> => {
  const child = Bun.spawn(["sh", "scripts/release.sh", "--to", to, "--platform", HERE], {
    cwd: checkout,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const [why, code] = await Promise.all([child.stderr.text(), child.exited]);
  expect({ why, code }).toEqual({ why: "", code: 0 });
  const name = readdirSync(to).find((each) => each.endsWith(HERE));
  return join(to, name ?? "missing");
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-executable-"));
  executable = await release(ROOT, join(folder, "first"));
}, BUILD_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The libraries that a program loads, as the dynamic loader lists them. */
const librariesOf = (program: string): readonly string[] => {
  const text = String(Bun.spawnSync(["ldd", program]).stdout);
  return [...text.matchAll(/(?:=> )?(\/\S+) \(0x/g)].flatMap(([, path]) => (path === undefined ? [] : [path]));
};

/** A root filesystem with the executable and the C and C++ libraries. */
const makeEmptyRoot = (): string => {
  const root = join(folder, "root");
  for (const name of ["proc", "dev", "tmp", "home", "etc"]) mkdirSync(join(root, name), { recursive: true });
  const addon = "libonnxruntime.so.1";
  const arch = HERE.slice("linux-".length);
  const store = new Bun.Glob(`**/onnxruntime-node/bin/*/linux/${arch}/${addon}`).scanSync({
    cwd: join(ROOT, "node_modules/.store"),
    absolute: true,
  });
  const [model = ""] = store;
  for (const library of new Set([...librariesOf(executable), ...librariesOf(model)])) {
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
  copyFileSync(executable, join(root, "hearth"));
  copyFileSync(join(import.meta.dir, "fixtures/in-empty-root.ts"), join(root, "drive.ts"));
  return root;
};

test.skipIf(Bun.which("bwrap") === null)(
  "a house runs from the executable alone: no other program, no network, an empty root filesystem",
  async () => {
    const root = makeEmptyRoot();
    const child = Bun.spawn(
      [
        ...["bwrap", "--unshare-all", "--die-with-parent", "--bind", root, "/", "--proc", "/proc", "--dev", "/dev"],
        ...["--clearenv", "--setenv", "HOME", "/home", "--", "/hearth", "--no-install", "/drive.ts", "/hearth"],
      ],
      { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    );
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toMatchObject({
      ready: { status: "ready" },
      page: 200,
      script: 200,
      remember: { code: 0 },
      recall: { code: 0, stdout: expect.stringContaining("ninth of August") },
      meaning: { code: 0, stdout: expect.stringMatching(/"hybrid"[^]*ninth of August|ninth of August[^]*"hybrid"/) },
      backup: { code: 0 },
      network: "none",
      stopped: 0,
    });
  },
  BUILD_MS,
);
