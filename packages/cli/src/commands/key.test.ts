import { describe, expect, test } from "bun:test";
import { commandsForEach } from "../fakes/fake-command-line.ts";

const own = commandsForEach();
const { hearth, json } = own;

describe("keys", () => {
  const key = { key: "hearth_secret", id: `key_${"0".repeat(26)}`, name: "laptop", agent: `agent_${"0".repeat(26)}` };

  test("are created and shown once, on stdout only", async () => {
    own.house.answer("POST /api/keys", key);
    expect(await json("key", "create", "--name", "laptop")).toEqual(key);
    const { out, err } = await hearth("key", "create", "--name", "laptop", "--agent", "main");
    expect(out).toBe("hearth_secret\n");
    expect(err).not.toContain("hearth_secret");
    expect(own.house.requests.at(-1)).toBe(`POST /api/keys {"name":"laptop","agent":"${own.house.main.id}"}`);
    expect((await hearth("key", "create")).code).toBe(2);
    await hearth("key", "create", "--name", "slow", "--per-minute", "60");
    expect(own.house.requests.at(-1)).toBe('POST /api/keys {"name":"slow","scope":{"level":"x","perMinute":60}}');
    await hearth("key", "create", "--name", "slow", "--only", "metrics", "--per-minute", "6");
    expect(own.house.requests.at(-1)).toContain('"scope":{"level":"r","only":"metrics","perMinute":6}');
    expect((await hearth("key", "create", "--name", "slow", "--per-minute", "0")).code).toBe(2);
  });

  test("are listed with their scope", async () => {
    const { key: _key, ...info } = key;
    own.house.answer("GET /api/keys", [
      { ...info, createdAt: 1, scope: { level: "w", on: [`room_${"0".repeat(26)}`], perMinute: 60 } },
    ]);
    expect((await hearth("key", "list")).out).toContain("w in 1 place, 60 requests per minute");
  });

  test("are listed with their last use", async () => {
    const { key: _key, ...info } = key;
    own.house.answer("GET /api/keys", [{ ...info, createdAt: 1 }]);
    expect((await hearth("key", "list")).out).toMatch(/USED[^]*never/);
    own.house.answer("GET /api/keys", [{ ...info, createdAt: 1, usedAt: 1 }]);
    expect((await hearth("key", "list")).out).not.toContain("never");
  });

  test("are revoked by id, or by a name that is unique among active keys", async () => {
    const { key: _key, ...info } = key;
    const other = { ...info, id: `key_${"1".repeat(26)}` };
    own.house.answer(`DELETE /api/keys/${key.id}`, { ...info, createdAt: 1, revokedAt: 2 });
    own.house.answer("GET /api/keys", [
      { ...info, createdAt: 1 },
      { ...other, createdAt: 1, revokedAt: 2 },
    ]);
    expect(await hearth("key", "revoke", "laptop")).toMatchObject({ code: 0, out: `revoked ${key.id}\n` });
    expect(await hearth("key", "revoke", key.id)).toMatchObject({ code: 0 });
    own.house.answer("GET /api/keys", [
      { ...info, createdAt: 1 },
      { ...other, createdAt: 1 },
    ]);
    expect(await hearth("key", "revoke", "laptop")).toMatchObject({
      code: 2,
      err: 'hearth: 2 active keys are named "laptop".\n  Use the id of the key. To list ids: hearth key list\n',
    });
    expect((await hearth("key", "revoke", "phone")).err).toContain('No active key is named "phone".');
  });
});
