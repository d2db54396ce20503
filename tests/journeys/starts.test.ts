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

test("a file as home is refused with 16", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "file"), "");
  expect((await hearth(["up", "--home", join(home.folder, "file"), "--port", "0"])).code).toBe(16);
});

test("an invalid config is refused with 18, naming the line and the remedy", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), 'version = 1\n\n[server]\nport = "many"\n');
  expect(await hearth(["up", "--home", home.folder])).toMatchObject({
    code: 18,
    stderr: expect.stringMatching(/server\.port.*hearth\.toml line 4/s),
  });
});

test("a certificate that cannot be read is refused with 18 and its line", async () => {
  using home = createHome();
  const lines = ["version = 1", "[server]", 'host = "127.0.0.1"', 'tls_cert = "chain.pem"', 'tls_key = "key.pem"'];
  writeFileSync(join(home.folder, "hearth.toml"), lines.join("\n"));
  const missing = await hearth(["up", "--home", home.folder, "--port", "0"]);
  expect([missing.code, missing.stderr]).toEqual([18, expect.stringContaining("hearth.toml line 4")]);
  expect(missing.stderr).toContain(`server.tls_cert: cannot read ${join(home.folder, "chain.pem")}`);
});

test("a config that cannot be read is refused with 18", async () => {
  using home = createHome();
  mkdirSync(join(home.folder, "hearth.toml"));
  expect(await hearth(["up", "--home", home.folder, "--port", "0"])).toMatchObject({
    code: 18,
    stderr: expect.stringContaining("hearth.toml"),
  });
});

test("a typo in the config names the nearest key, and the house starts", async () => {
  using home = createHome();
  writeFileSync(
    join(home.folder, "hearth.toml"),
    'version = 1\n[providers.x]\nkind = "openaj"\nbas_url = "http://127.0.0.1:1"\n',
  );
  await using house = await startDaemon(home.folder);
  const { stderr } = await house.stop();
  expect(stderr).toMatch(/bas_url.*base_url/s);
  expect(stderr).toMatch(/"openaj"; hearth\.toml line 3\. Did you mean "openai"/);
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

test("an address that the network can reach is refused with 18, by flag and by config", async () => {
  using home = createHome();
  for (const host of ["0.0.0.0", "::", "192.168.1.2", "example.org"]) {
    expect(await hearth(["up", "--home", home.folder, "--port", "0", "--host", host])).toMatchObject({
      code: 18,
      stderr: expect.stringContaining(host),
    });
  }
});

test("another loopback address can be set and is printed", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder, {}, ["--host", "127.0.0.2"]);
  expect(house.url).toStartWith("http://127.0.0.2:");
  expect((await house.hearth("status")).code).toBe(0);
});

test("an unknown durability, or a typo in the setting's name, refuses the start with 18", async () => {
  using home = createHome();
  for (const line of ['durability = "powr"', 'durabilty = "process"']) {
    writeFileSync(join(home.folder, "hearth.toml"), `version = 1\n[store]\n${line}\n`);
    expect(await hearth(["up", "--home", home.folder, "--port", "0"])).toMatchObject({
      code: 18,
      stderr: expect.stringMatching(/store\.durab.*hearth\.toml line 3/s),
    });
  }
});

test("the doctor states what an accepted message survives", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "hearth.toml"), 'version = 1\n[store]\ndurability = "process"\n');
  await using house = await startDaemon(home.folder);
  expect((await house.hearth("doctor")).stdout).toContain(
    "durability: process: accepted messages survive a killed process, but not a power cut",
  );
});

test("a used home whose database is missing is not started empty", async () => {
  using home = createHome();
  const house = await startDaemon(home.folder);
  await house.stop();
  rmSync(join(home.folder, "hearth.db"));
  const ended = await hearth(["up", "--home", home.folder, "--port", "0"]);
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/hearth\.db is empty.*backup/s) });
});
