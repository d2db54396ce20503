import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHome, hearth, startDaemon } from "./daemon.ts";

test("a file as home is refused with 16", async () => {
  using home = createHome();
  writeFileSync(join(home.folder, "file"), "");
  expect((await hearth(["up", "--home", join(home.folder, "file"), "--port", "0"])).code).toBe(16);
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
