import { expect, test } from "bun:test";
import { createHome, startDaemon } from "./daemon.ts";
import { readHome } from "./home-files.ts";

test("a key is shown once, lists rooms as a JSON array, and stops working when it is revoked", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  const made = JSON.parse((await house.hearth("key", "create", "--name", "N", "--json")).stdout);
  expect(made.key).toBeString();
  const rooms = () => fetch(`${house.url}/api/rooms`, { headers: { authorization: `Bearer ${made.key}` } });
  expect(await (await rooms()).json()).toBeArray();
  const listed = await house.hearth("key", "list", "--json");
  expect(JSON.parse(listed.stdout)).toMatchObject([{ name: "N" }]);
  expect(listed.stdout).not.toContain(made.key);
  expect((await house.hearth("key", "revoke", made.id)).code).toBe(0);
  expect((await rooms()).status).toBe(401);
  for (const [path, bytes] of await readHome(home.folder))
    expect([path, bytes.includes(made.key)]).toEqual([path, false]);
});

test("status, doctor and lists print JSON with --json", async () => {
  using home = createHome();
  await using house = await startDaemon(home.folder);
  expect(JSON.parse((await house.hearth("status", "--json")).stdout)).toMatchObject({ url: house.url, agents: 2 });
  const checks = JSON.parse((await house.hearth("doctor", "--json")).stdout);
  expect(Array.isArray(checks) ? checks : checks.checks).toContainEqual(
    expect.objectContaining({ name: "store", ok: true }),
  );
  for (const words of [
    ["agent", "list"],
    ["room", "list"],
    ["provider", "list"],
    ["key", "list"],
    ["activation", "list"],
  ]) {
    expect(JSON.parse((await house.hearth(...words, "--json")).stdout)).toBeArray();
  }
});
