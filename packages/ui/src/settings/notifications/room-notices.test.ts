import { afterEach, expect, test } from "bun:test";
import { createMemoryStorage } from "@hearth/client";
import { AgentId, ApprovalId, type PushChoices, type PushPayload } from "@hearth/protocol";
import { until } from "@hearth/protocol/until";
import { createFakeMe, createFakeUi, fakeEntry, fakeMain, fakeOwner } from "../../house/fake-ui.tsx";
import { activationId, eventId } from "../../rooms/fake-room.ts";
import { setPageNotifying } from "./page-setting.ts";
import { watchRooms } from "./room-notices.ts";

const NOW = Date.UTC(2026, 2, 4, 12);
const { room } = fakeEntry;
const base: PushChoices = { rule: "important", rooms: {}, showsText: false };

const message = (offset: number, more: Record<string, unknown> = {}) => ({
  ...{ type: "message", id: eventId(offset), offset, room: room.id, author: fakeMain.id, at: NOW },
  ...{ body: { format: "markdown", text: `words ${offset}` }, mentions: [], causes: [] },
  ...more,
});
const approval = (count: number) => ApprovalId.parse(`apr_${String(count).padStart(26, "0")}`);
const asked = (offset: number, more: Record<string, unknown> = {}) => ({
  ...{ type: "approval-asked", id: eventId(offset), offset, room: room.id, at: NOW, agent: fakeMain.id, tool: "run" },
  ...{ approval: approval(offset), activation: activationId(1) },
  ...more,
});

let leave = (): void => {};
afterEach(() => leave());

/** A page in the background, in a house whose room had one event when it opened. */
const open = () => {
  const choices = { ...base };
  const devices: unknown[] = [];
  const events: { readonly offset: number }[] = [message(1)];
  const answers: Record<string, unknown> = {
    "GET /api/notifications": { choices, devices },
    [`GET /api/rooms/${room.id}/events`]: { events, next: 0, head: 0 },
  };
  const shown: PushPayload[] = [];
  const state = { isPermitted: true, isInFront: false, isSubscribed: false };
  const checked = new Set<string>();
  const fake = createFakeUi();
  const storage = createMemoryStorage();
  setPageNotifying(storage, true);
  const ui = createFakeUi({
    answers,
    storage,
    now: NOW,
    houseSnapshot: { rooms: [{ ...fakeEntry, head: 1 }] },
    page: {
      ...fake.page,
      async push() {
        return {
          ...(await fake.page.push()),
          isPermitted: () => (checked.add("permission"), state.isPermitted),
          isInFront: () => (checked.add("front"), state.isInFront),
          isSubscribed: async () => (checked.add("subscription"), state.isSubscribed),
          notify: async (notice) => void shown.push(notice),
        };
      },
    },
  });
  leave = watchRooms(ui);
  return {
    ...{ ui, storage, choices, devices, state, shown, checked },
    add(...added: readonly { readonly offset: number }[]): void {
      events.push(...added);
      ui.setHouse({ rooms: [{ ...fakeEntry, head: events.at(-1)?.offset ?? 0 }] });
    },
    /** Adds an event that is announced after all earlier ones, and returns the tags of all. */
    async settle(): Promise<readonly string[]> {
      const offset = (events.at(-1)?.offset ?? 0) + 1;
      const last = asked(offset);
      this.add(last);
      await until(() => shown.some(({ tag }) => tag === last.approval));
      return shown.map(({ tag }) => tag).filter((tag) => tag !== last.approval);
    },
  };
};

test("a message for the person is announced once, with its text only if the person chose so", async () => {
  const house = open();
  const { choices, shown } = house;
  house.add(message(2), message(3));
  await until(() => shown.length === 1);
  expect(shown).toEqual([{ title: "Main", body: "Main", path: "/rooms/main", tag: room.id }]);
  choices.showsText = true;
  house.add(message(4));
  expect(await house.settle()).toEqual([room.id, room.id]);
  expect(shown[1]?.body).toBe("words 4");
});

test("own messages, old ones and those that the rule leaves out are not announced", async () => {
  const house = open();
  house.add(message(2, { author: fakeOwner.id }), message(3, { at: NOW - 3_600_000 }));
  expect(await house.settle()).toEqual([]);
});

test("an approval is announced to people who may decide it, until it is decided", async () => {
  const house = open();
  const other = AgentId.parse(`agent_${"9".padStart(26, "0")}`);
  const decided = { type: "approval-decided", decision: "allowed", approval: approval(2) };
  house.add(asked(2), asked(3, { person: other }), asked(4, { person: fakeOwner.id }), asked(5, decided));
  expect(await house.settle()).toEqual([approval(4)]);
  expect(house.shown[0]).toMatchObject({ title: "Main", body: "Asks for approval in Main", path: "/rooms/main" });
  house.ui.setHouse({ me: createFakeMe("r") });
  house.add(asked(7), asked(8, { person: fakeOwner.id }));
  await until(() => house.shown.some(({ tag }) => tag === approval(8)));
  expect(house.shown.some(({ tag }) => tag === approval(7))).toBe(false);
});

type Opened = ReturnType<typeof open>;

/** Each reason to announce nothing: begins it, ends it, and says when the page has looked at it. */
const reasons: Readonly<Record<string, (house: Opened) => readonly [() => unknown, () => unknown, () => boolean]>> = {
  "in quiet hours": ({ choices, ui }) => [
    () => Object.assign(choices, { quiet: { from: "11:00", to: "13:00", timezone: "UTC" } }),
    () => delete choices.quiet,
    () => ui.calls.some(([name]) => name === "GET /api/notifications"),
  ],
  "in front": ({ state, checked }) => [
    () => (state.isInFront = true),
    () => (state.isInFront = false),
    () => checked.has("front"),
  ],
  "without permission": ({ state, checked }) => [
    () => (state.isPermitted = false),
    () => (state.isPermitted = true),
    () => checked.has("permission"),
  ],
  "beside a push service": ({ state, devices, checked }) => [
    () => ((state.isSubscribed = true), devices.push({ id: "1", name: "x", service: "y", isThis: true, createdAt: 1 })),
    () => (state.isSubscribed = false),
    () => checked.has("subscription"),
  ],
  "turned off": ({ storage }) => [
    () => setPageNotifying(storage, false),
    () => setPageNotifying(storage, true),
    () => true,
  ],
};

for (const [reason, of] of Object.entries(reasons))
  test(`nothing is announced ${reason}, also not later`, async () => {
    const house = open();
    const [begin, end, hasLooked] = of(house);
    begin();
    house.add(message(2));
    await until(hasLooked);
    end();
    expect(await house.settle()).toEqual([]);
  });
