import { describe, expect, test } from "bun:test";
import type { AgentId, AuditHead, HouseId } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../../adapter/bun/world.ts";
import { createFakeLog } from "../log/log.ts";
import { packBody } from "../store/bodies.ts";
import { createMemoryBlobs } from "../store/memory-blobs.ts";
import { createMemoryStore } from "../store/memory.ts";
import { openRestoreFindings } from "./restore-findings.ts";

const { hash } = createBunWorld();
const OWNER = "agent_1" as AgentId;
const head = (mark: string): AuditHead => ({ house: "house_1" as HouseId, offset: 7, seal: "s", at: 1, mark });
const restored = (id: string) => ({ id, detail: "It was restored from a backup." });

type Signs = Partial<Pick<Parameters<typeof openRestoreFindings>[0], "lost" | "restored">>;

/** A home that is started again and again. */
const createHome = () => {
  const world = createFakeWorld({ hash });
  const store = createMemoryStore();
  const stored = createMemoryBlobs(hash);
  const gone = new Set<string>();
  const slow = new Set<string>();
  const blobs = {
    get: async (name: string) => {
      if (slow.has(name)) await new Promise(() => {});
      return gone.has(name) ? undefined : stored.get(name);
    },
  };
  return {
    store,
    gone,
    slow,
    async start(signs: Signs = {}) {
      await world.advance(1000);
      const opening = openRestoreFindings({ world, log: createFakeLog(), store, blobs, lost: [], ...signs });
      let isOpen = false;
      void opening.then(() => (isOpen = true));
      await until(async () => {
        await world.advance(500);
        return isOpen;
      });
      return opening;
    },
    /** Stores an event over 16 KiB and returns the name of its blob. */
    async say(id: string): Promise<string> {
      const { inline: body, blob } = await packBody(stored, id.padEnd(20_000, "."));
      const event = { id, type: "message", at: world.clock.now(), body, blob, labels: null } as never;
      await store.commit({ writes: [{ kind: "append", stream: "room:a", event }] });
      return blob ?? "";
    },
  };
};

describe("the epoch", () => {
  test("is the same at every start, and another one in each home", async () => {
    const home = createHome();
    const { epoch, isOnHold } = await home.start();
    expect([epoch.length, isOnHold()]).toEqual([16, false]);
    expect((await home.start()).epoch).toBe(epoch);
  });

  test("changes with each finding, and stays after the decision about it", async () => {
    const home = createHome();
    const epochs = [(await home.start()).epoch];
    const all: readonly Signs[] = [
      { restored: restored("one") },
      { lost: [head("m1")] },
      { restored: restored("two") },
    ];
    for (const signs of all) {
      const findings = await home.start(signs);
      epochs.push(findings.epoch);
      expect((await home.start(signs)).epoch).toBe(findings.epoch);
      await findings.decide("continue", OWNER);
      expect((await home.start()).epoch).toBe(findings.epoch);
    }
    expect(new Set(epochs).size).toBe(epochs.length);
  });

  test("differs between two restores of one backup", async () => {
    const [homeA, homeB] = [createHome(), createHome()];
    const first = (await homeA.start()).epoch;
    await homeB.store.commit({ writes: [{ kind: "insert", table: "epochs", row: { epoch: first, at: 0 } }] });
    const [mine, theirs] = [
      await homeA.start({ restored: restored("1") }),
      await homeB.start({ restored: restored("2") }),
    ];
    expect(new Set([first, mine.epoch, theirs.epoch]).size).toBe(3);
  });
});

describe("a house is on hold", () => {
  test.each<[string, Signs, string]>([
    ["after a restore", { restored: restored("one") }, "restored"],
    ["behind its audit anchor", { lost: [head("m1")] }, "behind"],
  ])("%s, at every start until its owner decides, and at no later start", async (_title, signs, kind) => {
    const home = createHome();
    await home.start(signs);
    // The sign may be gone; its finding is not.
    const again = await home.start();
    expect([again.isOnHold(), again.open().map((finding) => finding.kind)]).toEqual([true, [kind as never]]);
    await again.decide("continue", OWNER);
    expect([again.isOnHold(), again.open()]).toEqual([false, []]);
    expect((await home.start(signs)).isOnHold()).toBe(false);
    expect(await home.store.select({ table: "restore_findings" })).toMatchObject([{ decision: "continue", by: OWNER }]);
  });

  test("while the text of one of its newest messages is missing, as in a copy of a running home", async () => {
    const home = createHome();
    const names: string[] = [];
    for (let index = 0; index < 18; index += 1) {
      names.push(await home.say(`evt_${index}`));
      await home.start();
    }
    // A start checks the newest texts only.
    home.gone.add(names[0] ?? "");
    expect((await home.start()).isOnHold()).toBe(false);
    home.gone.add(names.at(-1) ?? "");
    const [finding] = (await home.start()).open();
    expect(finding?.kind).toBe("missing-blobs");
    expect(finding?.detail).toContain("1 of the newest messages");
    expect(finding?.detail).toContain(`blobs/${names.at(-1)}`);
  });

  test("but not for a slow disk", async () => {
    const home = createHome();
    home.slow.add(await home.say("evt_1"));
    expect((await home.start()).isOnHold()).toBe(false);
  });
});
