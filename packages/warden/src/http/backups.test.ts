import { expect, test } from "bun:test";
import type { BackupState } from "@hearth/protocol";
import { checkBackups, startBackup } from "./backups.ts";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { createFakeHouse } from "./fakes/fake-house.ts";

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
  const checks = await checkBackups({ list, start: async () => true });
  expect(checks).toMatchObject([
    { name: "backups", ok: true, detail: "none is known yet, in /mnt/disk" },
    { name: "backups to nas", ok: false },
    { name: "backups to s3", ok: false, fix: expect.stringContaining("hearth backup") },
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
