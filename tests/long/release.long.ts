/** The files of a release, built from this checkout and installed as a user does. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HERE = process.arch === "arm64" ? "linux-arm64" : "linux-x64";
const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const BUILD_MS = 300_000;

let folder: string;
let executable: string;

/** Runs a command to its end. Throws with its output if it fails. */
const run = async (command: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> => {
  const child = Bun.spawn([...command], {
    cwd,
    env: Object.assign({}, process.env, env),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${stdout}${stderr}`);
  return stdout;
};

const release = (checkout: string, to: string, more: readonly string[] = []): Promise<string> =>
  run(["sh", "scripts/release.sh", "--to", to, "--platform", HERE, ...more], checkout);

const fileIn = (place: string, ending: string): string =>
  join(place, readdirSync(place).find((each) => each.endsWith(ending)) ?? `nothing with ${ending}`);

const hasMinisign = Bun.which("minisign") !== null;
const keys = (): readonly string[] => ["-s", join(folder, "release.key"), "-p", join(folder, "release.pub")];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-release-test-"));
  if (hasMinisign) await run(["minisign", "-G", "-W", ...keys()], folder);
  await release(ROOT, join(folder, "first"), hasMinisign ? ["--key", join(folder, "release.key")] : []);
  executable = fileIn(join(folder, "first"), HERE);
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
  return root;
};

test.skipIf(Bun.which("bwrap") === null)(
  "a house runs from the executable alone: no other program, no network, an empty root filesystem",
  async () => {
    const root = makeEmptyRoot();
    await Bun.build({ entrypoints: [join(import.meta.dir, "fixtures/in-empty-root.ts")], outdir: root, target: "bun" });
    const child = Bun.spawn(
      [
        ...["bwrap", "--unshare-all", "--die-with-parent", "--bind", root, "/", "--proc", "/proc", "--dev", "/dev"],
        ...["--clearenv", "--setenv", "HOME", "/home", "--", "/hearth", "--no-install", "/in-empty-root.js", "/hearth"],
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

test(
  "a copy of the sources in another folder gives the same bytes",
  async () => {
    const copy = join(folder, "a/copy with blanks");
    mkdirSync(dirname(copy));
    // Links to the same files where the file system allows it.
    await run(["sh", "-c", 'cp -al "$0" "$1" 2>/dev/null || cp -a "$0" "$1"', ROOT, copy], folder);
    await release(copy, join(folder, "second"));
    const sums = (place: string): string => readFileSync(join(folder, place, "SHA256SUMS"), "utf8");
    expect(sums("second")).toBe(sums("first"));
    expect(sums("first").trim().split("\n")).toHaveLength(5);
  },
  BUILD_MS,
);

test("the hashes are those of the files, and a file that changed is found", async () => {
  const place = join(folder, "first");
  await run(["sha256sum", "--check", "--strict", "SHA256SUMS"], place);
  const path = join(folder, "changed");
  mkdirSync(path);
  for (const name of readdirSync(place)) copyFileSync(join(place, name), join(path, name));
  writeFileSync(fileIn(path, ".tgz"), "another package");
  await expect(run(["sha256sum", "--check", "SHA256SUMS"], path)).rejects.toThrow(".tgz: FAILED");
});

test.skipIf(!hasMinisign)("A57: minisign accepts the hashes as signed, and refuses others", async () => {
  const verify = (file: string) =>
    run(
      ["minisign", "-V", "-p", join(folder, "release.pub"), "-x", join(folder, "first/SHA256SUMS.minisig"), "-m", file],
      folder,
    );
  expect(await verify("first/SHA256SUMS")).toContain("Signature and comment signature verified");
  writeFileSync(join(folder, "forged"), `${"0".repeat(64)}  hearth\n`);
  await expect(verify("forged")).rejects.toThrow("Signature verification failed");
});

test("the bill of materials lists what is inside, and no development tools", () => {
  const bom = JSON.parse(readFileSync(fileIn(join(folder, "first"), `${VERSION}.cdx.json`), "utf8"));
  expect(bom).toMatchObject({ bomFormat: "CycloneDX", metadata: { component: { name: "hearth" } } });
  const names: readonly string[] = bom.components.map((each: { readonly "bom-ref": string }) =>
    each["bom-ref"].replace(/@[^@]*$/, ""),
  );
  for (const name of ["onnxruntime-node", "react", "zod", "@oven/bun-linux-x64"]) expect(names).toContain(name);
  for (const name of ["typescript", "oxlint", "playwright-core", "fast-check", "@hearth/tests"]) {
    expect(names).not.toContain(name);
  }
});

test(
  "the npm package has no tests, and starts a house where npm installed it",
  async () => {
    const tarball = fileIn(join(folder, "first"), ".tgz");
    const files = (await run(["tar", "-tzf", tarball], folder)).trim().split("\n");
    expect(files.filter((file) => /\.test\.|conformance|\/fixtures\/|\/tests\/|\/fakes\/|\/fake-/.test(file))).toEqual(
      [],
    );
    const place = join(folder, "npm");
    mkdirSync(place);
    writeFileSync(join(place, "package.json"), "{}");
    await run(["npm", "install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", tarball], place);
    const house = Bun.spawn(["npx", "--offline", "hearth", "up", "--home", join(folder, "npm-home"), "--port", "0"], {
      cwd: place,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    let printed = "";
    const decoder = new TextDecoder();
    for await (const part of house.stdout) {
      printed += decoder.decode(part, { stream: true });
      if (/^log in: /m.test(printed)) break;
    }
    const url = /^ready (\S+)$/m.exec(printed)?.[1] ?? "";
    expect([(await fetch(`${url}/readyz`)).status, (await fetch(`${url}/ui/`)).status]).toEqual([200, 200]);
    await run(["npx", "--offline", "hearth", "stop", "--home", join(folder, "npm-home")], place);
    expect(await house.exited).toBe(0);
  },
  BUILD_MS,
);
