import { describe, expect, test } from "bun:test";
import type { BackupState } from "@hearth/protocol";
import { checkBackups, type HomeRestorer, startBackup } from "./backups.ts";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { createFakeHouse, RUN_TOKEN } from "./fakes/fake-house.ts";

const PLACE: BackupState = {
  to: "/mnt/disk",
  everyMs: 3_600_000,
  keep: 7,
  isEncrypted: false,
  isRunning: false,
  isLate: false,
};
const AT = Date.UTC(2026, 0, 2);

test("each place of backups is a check, which fails when a backup is late or failed", async () => {
  const list = async () => [
    PLACE,
    { ...PLACE, target: "nas", last: { number: 4, at: AT }, isLate: true },
    { ...PLACE, target: "s3", problem: "The bucket is gone." },
  ];
  const checks = await checkBackups({ list });
  expect(checks).toMatchObject([
    { name: "backups", ok: true, detail: "none is known yet, in /mnt/disk" },
    { name: "backups to nas", ok: false },
    { name: "backups to s3", ok: false, fix: expect.stringContaining("hearth backup"), page: "backups" },
  ]);
  expect(checks[1]?.detail).toBe("a backup is late; the last is backup 4, made 2026-01-02T00:00:00.000Z, in /mnt/disk");
  expect(checks[2]?.detail).toContain("The bucket is gone.");
  expect(await checkBackups(undefined)).toEqual([]);
});

test("a backup is started at its own place, and refused at an unknown or a busy one", async () => {
  const started: (string | undefined)[] = [];
  const backups = {
    list: async () => [PLACE, { ...PLACE, target: "nas" }],
    async start({ target }: BackupState) {
      started.push(target);
      return started.length < 3;
    },
  };
  expect((await startBackup(backups, "nas")).target).toBe("nas");
  expect((await startBackup(backups, undefined)).target).toBeUndefined();
  expect(started).toEqual(["nas", undefined]);
  expect(startBackup(backups, "nas")).rejects.toMatchObject({ code: "backup.busy" });
  expect(startBackup(backups, "tape")).rejects.toMatchObject({ code: "backup.not-found" });
  expect(startBackup(undefined, undefined)).rejects.toMatchObject({ code: "backup.not-found" });
});

test("an admin of the first house hears of a late backup with their identity; others do not", async () => {
  const house = await createFakeHouse(createFakeWorld({ hash: createBunWorld().hash }));
  Object.assign(house.options.reports, { backups: async () => [{ ...PLACE, isLate: true }] });
  const me = async (key: string): Promise<unknown> => {
    const response = await house.call("/api/me", { headers: { authorization: `Bearer ${key}` } });
    return ((await response.json()) as { readonly needsBackup?: true }).needsBackup;
  };
  expect([await me(house.key), await me(house.botKey)]).toEqual([true, undefined]);
});

describe("a restore into the running house", () => {
  const open = async () => {
    const house = await createFakeHouse(createFakeWorld({ hash: createBunWorld().hash }));
    const begun: unknown[] = [];
    const restorer: HomeRestorer = {
      list: async (target) =>
        target === "tape" ? undefined : [{ number: 3, state: "complete", at: AT, house: target ?? "home" }],
      test: async (target) => (target === "tape" ? undefined : { ok: true, detail: `Tested ${target}.` }),
      start(request, by) {
        begun.push([request, by]);
        if (request.target === "tape") return "no-such-place";
        return begun.length === 1 ? "begun" : "busy";
      },
      state: () => ({ state: begun.length === 0 ? "none" : "preparing", number: 3 }),
    };
    Object.assign(house.options.reports, { restorer: async () => restorer });
    const ask = async (credential: string, method: string, path: string, body?: unknown) => {
      const response = await house.call(path, {
        method,
        headers: { authorization: `Bearer ${credential}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, json: (await response.json()) as Record<string, unknown> };
    };
    return { ...house, begun, ask };
  };

  test("lists the backups of a place, begins once, and shows its progress", async () => {
    const { ask, begun, owner } = await open();
    expect((await ask(RUN_TOKEN, "GET", "/api/backups/copies?target=nas")).json).toMatchObject([
      { number: 3, house: "nas" },
    ]);
    expect((await ask(RUN_TOKEN, "GET", "/api/backups/restore")).json["state"]).toBe("none");
    const request = { target: "nas", number: 3, identity: "AGE-SECRET-KEY-1" };
    expect(await ask(RUN_TOKEN, "POST", "/api/backups/restore", request)).toMatchObject({
      status: 202,
      json: { state: "preparing", number: 3 },
    });
    expect(begun).toEqual([[request, owner.id]]);
    expect((await ask(RUN_TOKEN, "POST", "/api/backups/restore", { number: 3 })).json).toMatchObject({
      error: { code: "backup.busy" },
    });
    const unknown = { error: { code: "backup.not-found", message: "There is no target `tape` for backups." } };
    expect((await ask(RUN_TOKEN, "GET", "/api/backups/copies?target=tape")).json).toMatchObject(unknown);
    const atTape = { number: 3, target: "tape" };
    expect((await ask(RUN_TOKEN, "POST", "/api/backups/restore", atTape)).json).toMatchObject(unknown);
  });

  test("A62: needs a fresh proof of identity, also from a key without limits, and is not for bots", async () => {
    const { ask, begun, key, botKey } = await open();
    const restore = (credential: string) => ask(credential, "POST", "/api/backups/restore", { number: 3 });
    expect((await restore(key)).json).toMatchObject({
      error: { code: "auth.denied", message: expect.stringContaining("needs a fresh login") },
    });
    expect((await restore(botKey)).status).toBe(403);
    expect(begun).toEqual([]);
  });
});
