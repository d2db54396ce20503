import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chooseAccelerator, createKvmFailures, type KvmFailures } from "./kvm.ts";
import type { Accelerator } from "./machine.ts";

const HOUR_MS = 60 * 60_000;
const NOON = Date.parse("2026-11-30T12:00:00Z");

/** A folder with records of failures, read and written at a chosen time. */
const createFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-kvm-"));
  return {
    folder,
    at: (now: number, { version = "QEMU 7.2", bootId = "first" } = {}): KvmFailures =>
      createKvmFailures({ folder, version, bootId, clock: { now: () => now } }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
};

/** Chooses on a host where only these accelerators boot a machine. Also returns what was tried. */
const choose = async (failures: KvmFailures, hasKvm: boolean, ...works: readonly Accelerator[]) => {
  const tried: Accelerator[] = [];
  const boot = async (accelerator: Accelerator): Promise<void> => {
    tried.push(accelerator);
    if (!works.includes(accelerator)) throw new Error(`${accelerator} does not boot.`);
  };
  const chosen = await chooseAccelerator({ hasKvm, boot, failures }).catch((error: unknown) => String(error));
  return { chosen, tried };
};

describe("the accelerator", () => {
  test("is KVM if a machine boots with it", async () => {
    using host = createFolder();
    expect(await choose(host.at(NOON), true, "kvm", "tcg")).toEqual({ chosen: "kvm", tried: ["kvm"] });
    expect(await host.at(NOON).hasRecent()).toBe(false);
  });

  test("is emulation without KVM, and that is no failure of KVM", async () => {
    using host = createFolder();
    expect(await choose(host.at(NOON), false, "kvm", "tcg")).toEqual({ chosen: "tcg", tried: ["tcg"] });
    expect(await host.at(NOON).hasRecent()).toBe(false);
  });

  test("is emulation after a failed boot, and other processes do not try KVM again", async () => {
    using host = createFolder();
    expect(await choose(host.at(NOON), true, "tcg")).toEqual({ chosen: "tcg", tried: ["kvm", "tcg"] });
    expect(await choose(host.at(NOON), true, "kvm", "tcg")).toEqual({ chosen: "tcg", tried: ["tcg"] });
  });

  test("is not chosen if no machine boots, and the error is passed on", async () => {
    using host = createFolder();
    expect(await choose(host.at(NOON), true)).toEqual({ chosen: "Error: tcg does not boot.", tried: ["kvm", "tcg"] });
    expect(await host.at(NOON).hasRecent()).toBe(false);
  });
});

describe("a failure of KVM", () => {
  test("is recent for a day, on a clock that was not set back", async () => {
    using host = createFolder();
    await host.at(NOON).add();
    expect(await host.at(NOON).hasRecent()).toBe(true);
    expect(await host.at(NOON + 24 * HOUR_MS - 1).hasRecent()).toBe(true);
    expect(await host.at(NOON + 24 * HOUR_MS).hasRecent()).toBe(false);
    expect(await host.at(NOON - 1).hasRecent()).toBe(false);
  });

  test("is forgotten when QEMU changes or the host restarts", async () => {
    using host = createFolder();
    await host.at(NOON).add();
    expect(await host.at(NOON, { version: "QEMU 8.0" }).hasRecent()).toBe(false);
    expect(await host.at(NOON, { bootId: "second" }).hasRecent()).toBe(false);
  });

  test("is unknown if the record is damaged", async () => {
    using host = createFolder();
    writeFileSync(join(host.folder, "kvm-failure"), "");
    expect(await host.at(NOON).hasRecent()).toBe(false);
  });
});
