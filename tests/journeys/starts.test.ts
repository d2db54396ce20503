import { expect, test } from "bun:test";
import { chmodSync, chownSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createHome, hearth, startDaemon } from "./daemon.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Root can write everywhere, so the test of a read-only home drops its privileges. */
const asRoot = process.getuid?.() === 0;

const NOBODY = 65_534;

const drop = asRoot ? ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"] : [];

const canDrop =
  !asRoot ||
  (Bun.which("setpriv") !== null && Bun.spawnSync([...drop, "test", "-r", `${ROOT}node_modules/.hearth-lock`]).success);

test("R19: a second daemon on one home is refused with 17, and the first continues", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const second = await hearth(["up", "--home", home.folder, "--port", "0"]);
  expect(second).toMatchObject({ code: 17, stderr: expect.stringContaining(home.folder) });
  expect((await house.ask("GET", "/api/status")).status).toBe(200);
});

test("a home whose daemon was killed starts again at once", async () => {
  using home = createHome();
  const house = await startDaemon(home.folder);
  await house.kill();
  await using again = await startDaemon(home.folder);
  expect((await again.ask("GET", "/api/status")).status).toBe(200);
});

test("a port that is taken is refused with 14 and named", async () => {
  using home = createHome();
  const taken = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  try {
    const ended = await hearth(["up", "--home", home.folder, "--port", String(taken.port)]);
    expect(ended).toMatchObject({ code: 14, stderr: expect.stringContaining(String(taken.port)) });
  } finally {
    await taken.stop(true);
  }
});

test.skipIf(!canDrop)(
  "a home that cannot be written is refused with 15 (skipped for root if an unprivileged user cannot read this checkout)",
  async () => {
    using home = createHome();
    if (asRoot) chownSync(home.folder, NOBODY, NOBODY);
    chmodSync(home.folder, 0o500);
    expect(await hearth(["up", "--home", home.folder, "--port", "0"], {}, drop)).toMatchObject({
      code: 15,
      stderr: expect.stringContaining(home.folder),
    });
  },
);

test("a home on a read-only file system is refused with 15", async () => {
  expect(await hearth(["up", "--home", "/proc/hearth", "--port", "0"])).toMatchObject({
    code: 15,
    stderr: expect.stringContaining("/proc/hearth"),
  });
});

test("a folder with other contents is refused with 16 and left unchanged", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "thesis.txt"), "mine");
  const ended = await hearth(["up", "--home", home.folder, "--port", "0"]);
  expect(ended).toMatchObject({ code: 16, stderr: expect.stringContaining("thesis.txt") });
  expect([...new Bun.Glob("**/*").scanSync({ cwd: home.folder, dot: true })]).toEqual(["thesis.txt"]);
});

test("an invalid config is refused with 18, naming the line and the remedy", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), 'version = 1\n\n[server]\nport = "many"\n');
  expect(await hearth(["up", "--home", home.folder])).toMatchObject({
    code: 18,
    stderr: expect.stringMatching(/server\.port.*hearth\.toml line 4/s),
  });
});

test("without a daemon every command that needs one exits with 3 and says how to start it", async () => {
  using home = createHome();
  mkdirSync(join(home.folder, "none"));
  for (const words of [["status"], ["chat", "-m", "hi"], ["agent", "list"], ["stop"]]) {
    expect(await hearth([...words, "--home", join(home.folder, "none")])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining("hearth up"),
    });
  }
});

test("an unknown command or flag exits with 2 and names the nearest", async () => {
  expect(await hearth(["statsu"])).toMatchObject({ code: 2, stderr: expect.stringContaining("status") });
  expect(await hearth(["up", "--prot", "1"])).toMatchObject({ code: 2, stderr: expect.stringContaining("--port") });
});

test("a used home whose database is missing is not started empty", async () => {
  using home = createHome();
  const house = await startDaemon(home.folder);
  await house.stop();
  rmSync(join(home.folder, "hearth.db"));
  const ended = await hearth(["up", "--home", home.folder, "--port", "0"]);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/hearth\.db is empty.*backup/s) });
});
