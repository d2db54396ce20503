import { expect, test } from "bun:test";
import type { AgentId, BackupState } from "@hearth/protocol";
import { createFakeWorld } from "@hearth/protocol/world-fake";
import { createBunWorld } from "../adapter/bun/world.ts";
import { CHECK_MS, createBackupAlerts } from "./backup-alerts.ts";
import { createFakeHouse } from "./fakes/fake-house.ts";

const PLACE: BackupState = {
  target: "nas",
  to: "ssh://me@nas/backups",
  everyMs: 1000,
  keep: 1,
  isEncrypted: false,
  isRunning: false,
  isLate: false,
};

const open = async () => {
  const world = createFakeWorld({ hash: createBunWorld().hash });
  const house = await createFakeHouse(world);
  const { records, permissions } = house.options.people;
  const content = { name: "Ana", kind: "human" } as const;
  await records.mutate({ kind: "create", type: "agent", content, level: "w" }, house.owner.id);
  const sent: { readonly person: AgentId; readonly title: string; readonly text: string; readonly about: string }[] =
    [];
  const state = { places: [PLACE] as readonly BackupState[], isQuiet: false };
  const stop = new AbortController();
  const ended = createBackupAlerts({
    clock: world.clock,
    backups: { list: async () => state.places },
    house: house.house,
    records,
    permissions,
    alerts: {
      async send(person, { title, text, about }) {
        if (state.isQuiet) return "quiet";
        sent.push({ person, title, text, about });
        return "sent";
      },
    },
  }).run(stop.signal);
  return {
    ...{ world, house, sent, state },
    check: () => world.advance(CHECK_MS),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
};

test("a late or failed backup alerts administrators once, without its address and error", async () => {
  await using alerts = await open();
  const { house, sent, state, check } = alerts;
  await check();
  expect(sent).toEqual([]);
  state.places = [{ ...PLACE, problem: "ssh: password of me@nas is wrong" }];
  await check();
  await check();
  expect(sent).toMatchObject([
    {
      person: house.owner.id,
      title: "A backup failed",
      text: "The target nas needs attention: Settings → Backup & storage.",
    },
  ]);
  state.places = [PLACE];
  await check();
  state.places = [{ ...PLACE, isLate: true }];
  await check();
  expect(sent.map(({ title }) => title)).toEqual(["A backup failed", "A backup is late"]);
  // Another time has another id, so that chat platforms get it too.
  expect(new Set(sent.map(({ about }) => about)).size).toBe(2);
});

test("an alert in quiet hours is sent after them, unless the backup succeeded meanwhile", async () => {
  await using alerts = await open();
  const { sent, state, check } = alerts;
  state.isQuiet = true;
  state.places = [{ ...PLACE, isLate: true }];
  await check();
  state.isQuiet = false;
  await check();
  expect(sent).toHaveLength(1);
});
