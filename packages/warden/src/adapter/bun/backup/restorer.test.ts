/** Restores into a running house: order, refusals and failures. The process of a restore is a fake. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentId } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createFakeLog } from "../../../kernel/log/log.ts";
import { parseConfig } from "../../../kernel/config/read.ts";
import type { BackupRequest } from "./backup-request.ts";
import { createRestorer } from "./restorer.ts";

const CONFIG = `version = 1
[backup]
to = "/mnt/disk"
[backup.targets.nas]
to = "sftp://house@nas/srv"
`;
const BY = "agt_owner" as AgentId;

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hearth-restorer-"));
});
afterEach(() => rmSync(home, { recursive: true }));

const open = (answer: (request: BackupRequest) => Promise<unknown>) => {
  const requests: BackupRequest[] = [];
  let restarts = 0;
  const restorer = createRestorer({
    home,
    config: { current: () => parseConfig(CONFIG, "hearth.toml").config },
    log: createFakeLog(),
    clock: createFakeWorld({ hash: () => "" }).clock,
    restart: () => (restarts += 1),
    ask(request) {
      requests.push(request);
      return answer(request);
    },
  });
  return { restorer, requests, restarts: () => restarts };
};

/** Leaves the files and returns the report of a successful restore process. */
const restored = async (): Promise<unknown> => {
  mkdirSync(join(home, "replacement/incoming"), { recursive: true });
  return { kind: "restored", number: 3 };
};

describe("a restore into the running house", () => {
  test("is prepared, accepted, and then the house starts again", async () => {
    const held = Promise.withResolvers<void>();
    const { restorer, requests, restarts } = open(async () => {
      await held.promise;
      return restored();
    });
    expect(restorer.state()).toEqual({ state: "none" });
    expect(restorer.start({ number: 3, target: "nas", identity: "key" }, BY)).toBe("begun");
    expect(requests).toEqual([{ verb: "restore", home, from: "sftp://house@nas/srv", number: 3, identity: "key" }]);
    expect(restorer.state()).toMatchObject({ state: "preparing", number: 3 });
    expect(restorer.start({ number: 2 }, BY)).toBe("busy");
    expect(restarts()).toBe(0);
    held.resolve();
    await until(() => restarts() === 1);
    expect(restorer.state()).toMatchObject({ state: "restarting", number: 3 });
    expect(existsSync(join(home, "replacement/ready"))).toBe(true);
    expect(restorer.start({ number: 2 }, BY)).toBe("busy");
  });

  test("that fails leaves the house as it is, says why, and can be tried again", async () => {
    let answer: () => Promise<unknown> = () => Promise.reject(new Error("The disk has no room."));
    const { restorer, restarts } = open(() => answer());
    restorer.start({ number: 3 }, BY);
    await until(() => restorer.state().state === "failed");
    expect(restorer.state().problem).toBe("The disk has no room.");
    answer = async () => ({ kind: "damaged", problems: [{ path: "hearth.db", fault: "differs" }] });
    expect(restorer.start({ number: 3 }, BY)).toBe("begun");
    await until(() => restorer.state().problem?.includes("hearth.db: differs") === true);
    expect([restarts(), existsSync(join(home, "replacement"))]).toEqual([0, false]);
    answer = restored;
    restorer.start({ number: 3 }, BY);
    await until(() => restarts() === 1);
  });

  test("lists the backups of a known place only", async () => {
    const { restorer, requests } = open(async ({ verb }) => {
      if (verb !== "list") throw new Error("not a list");
      return requests.length === 1 ? [{ number: 1, state: "complete", at: 5, files: 3 }] : Promise.reject("gone");
    });
    expect(await restorer.list(undefined)).toEqual([{ number: 1, state: "complete", at: 5 }]);
    expect(requests).toEqual([{ verb: "list", home, from: "/mnt/disk" }]);
    await expect(restorer.list("nas")).rejects.toMatchObject({ code: "backup.failed" });
    expect(await restorer.list("tape")).toBeUndefined();
    expect(restorer.start({ number: 1, target: "tape" }, BY)).toBe("no-such-place");
    expect(restorer.state()).toEqual({ state: "none" });
  });
});
