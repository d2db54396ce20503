import { expect, test } from "bun:test";
import type { RoomSnapshot } from "@hearth/client";
import { HearthError, type Hold, type Level, MAX_MESSAGE_LENGTH } from "@hearth/protocol";
import {
  createFakeAgent,
  createFakeMe,
  createFakeRoom,
  createFakeUi,
  fakeEntry,
  type FakeUi,
  fakeMain,
  fakeOwner,
} from "../house/fake-ui.tsx";
import { draftOf } from "./draft.ts";
import { createFakeLive, createFakeMessage, createFakePending } from "./fake-room.ts";
import { renderUi, textOf } from "./fake-view.tsx";
import { OpenRoom } from "./room-page.tsx";

const agents = (...all: readonly ReturnType<typeof createFakeAgent>[]) => ({
  agents: new Map([fakeOwner, ...all].map((agent) => [agent.id as string, agent])),
});
const thinking = createFakeAgent(2, "Main", { model: "anthropic/claude-sonnet-5-5" });
const scout = createFakeAgent(3, "Scout", { model: "openai/gpt-5" });
const boris = createFakeAgent(4, "Boris", { kind: "human" });
const kitchen = { ...fakeEntry, room: createFakeRoom(2, "Kitchen") };

const open = (ui: FakeUi = createFakeUi(), entry = fakeEntry): string =>
  renderUi(<OpenRoom entry={entry} reader={ui.openRoom(entry.room.id)} isTrying={false} onTry={() => {}} />, ui);
const openWith = (roomSnapshot: Partial<RoomSnapshot>): string => open(createFakeUi({ roomSnapshot }));

test("a room is headed by its name, and every part of it can be found", () => {
  const markup = openWith({ messages: [createFakeMessage(1)] });
  expect(markup).toMatch(/<h1[^>]*>Main<\/h1>/);
  expect(markup).toMatch(/role="log"[^>]*aria-label="Messages"/);
  expect(markup).toMatch(/<textarea[^>]*aria-label="Message Main"/);
  expect(markup).toMatch(/<button[^>]*type="submit"[^>]*aria-label="Send"/);
});

test("who talks with the offline helper is told so, and led to the models", () => {
  const markup = open();
  expect(textOf(markup)).toContain("Main answers with the built-in offline helper, which is not a language model.");
  expect(markup).toMatch(/<a[^>]*href="\/ui\/settings\/agents\/main"[^>]*>Choose a model<\/a>/);
});

test("who talks with a model sees its name, and nothing of an offline helper", () => {
  const markup = open(createFakeUi({ houseSnapshot: agents(thinking) }));
  expect(textOf(markup)).toContain("Main (claude-sonnet-5-5)");
  expect(markup).toContain('href="/ui/settings/agents/main"');
  expect(markup).not.toContain("offline");
});

test("a group names its agents with their models, then its other people", () => {
  const markup = open(createFakeUi({ houseSnapshot: agents(scout, boris, fakeMain) }), kitchen);
  expect(textOf(markup)).toContain("Main (offline helper), Scout (gpt-5), Boris");
  expect(markup).not.toContain("Choose a model");
});

test("only members of a group with a list are named, and of many the first", () => {
  const many = Array.from({ length: 7 }, (_, index) => createFakeAgent(10 + index, `Bot ${index}`));
  const entry = { ...kitchen, room: createFakeRoom(2, "Kitchen", { members: many.map((agent) => agent.id) }) };
  const text = textOf(open(createFakeUi({ houseSnapshot: agents(...many, boris) }), entry));
  expect(text).toContain("Bot 3 (offline helper) and 3 more");
  expect(text).not.toContain("Boris");
});

test("an empty room begins with who is there and four ways to begin", () => {
  const markup = open();
  expect(markup).toMatch(/<h2[^>]*>Main<\/h2>/);
  const group = /role="group" aria-label="Ways to begin">(.*?)<\/div>/.exec(markup)?.[1] ?? "";
  expect(textOf(group)).toBe("remember that … what do you remember? list files help");
});

test("an agent with a model is begun with otherwise, and says of itself what its record says", () => {
  const described = createFakeAgent(2, "Main", { model: "openai/gpt-5", description: "I water the plants." });
  const text = textOf(open(createFakeUi({ houseSnapshot: agents(described) })));
  expect(text).toContain("I water the plants.");
  expect(text).toContain("What can you do for me?");
  expect(text).not.toContain("list files");
});

test("an empty group says how somebody is woken", () => {
  expect(textOf(open(createFakeUi({ houseSnapshot: agents(scout) }), kitchen))).toContain("as in @scout");
});

test("a room that opens, and one that cannot be opened, leave the composer in its place", () => {
  const loading = openWith({ state: { kind: "loading" } });
  expect(loading).toContain("Opening the room");
  const error = new HearthError("record.not-found", "This room is gone.", { hint: "Choose another one." });
  const failed = openWith({ state: { kind: "failed", error } });
  expect(textOf(failed)).toContain("This room is gone. Choose another one.");
  expect(textOf(failed)).toContain("Try again It is tried again by itself.");
  for (const markup of [loading, failed]) expect(markup).toContain("<textarea");
});

test("what is written before a room has opened is seen, and said to wait", () => {
  const error = new HearthError("record.not-found", "This room is gone.");
  for (const state of [{ kind: "loading" }, { kind: "failed", error }] as const) {
    const markup = openWith({ state, pending: [createFakePending({ text: "written early" })] });
    expect(markup).toMatch(/role="log"[^>]*aria-label="Messages".*written early/);
    expect(textOf(markup)).toContain("Waiting to be sent");
    expect(openWith({ state })).not.toContain('role="log"');
  }
});

test("a room that goes further back is not empty", () => {
  expect(openWith({ hasOlder: true })).toContain('role="log"');
});

test("a draft stands in the composer again, and can be sent", () => {
  const ui = createFakeUi();
  expect(open(ui)).toMatch(/<button[^>]*disabled=""[^>]*aria-label="Send"/);
  draftOf(ui.storage, fakeEntry.room.id).write("half a thought");
  const markup = open(ui);
  expect(markup).toContain(">half a thought</textarea>");
  expect(markup).not.toMatch(/<button[^>]*disabled=""[^>]*aria-label="Send"/);
});

test("a text beyond the limit is kept, and said to be too long", () => {
  const ui = createFakeUi();
  draftOf(ui.storage, fakeEntry.room.id).write("x".repeat(MAX_MESSAGE_LENGTH + 5));
  const markup = open(ui);
  expect(markup).toContain('aria-invalid="true"');
  expect(textOf(markup)).toContain("5 characters too many.");
});

test("a connection that is lost for a moment is not worth a word", () => {
  expect(openWith({ isCurrent: false })).not.toContain("offline: messages");
});

test("earlier messages on their way show at the top", () => {
  const markup = openWith({ messages: [createFakeMessage(1)], hasOlder: true, isLoadingOlder: true });
  expect(markup).toContain("Loading earlier messages");
  expect(markup).toContain('aria-busy="true"');
});

const hold = (scope: Hold["scope"]): Hold => ({ scope, by: fakeOwner.id, at: 1 });

test("who is stopped is told above the composer, with what waits and the way back", () => {
  const live = [createFakeLive({ state: "queued" }), createFakeLive({ state: "queued" })];
  const stopped = (count: number, ...holds: readonly Hold[]): string =>
    open(createFakeUi({ houseSnapshot: { holds }, roomSnapshot: { live: live.slice(0, count) } }));
  expect(textOf(stopped(0, hold(fakeMain.id)))).toContain("Main is stopped. Resume");
  expect(textOf(stopped(1, hold(fakeMain.id)))).toContain("Main is stopped. 1 message waits. Resume");
  const markup = stopped(2, hold("house"), hold(fakeMain.id));
  expect(textOf(markup)).toContain("Main is stopped. 2 messages wait. Resume");
  expect(textOf(markup)).toContain("Waiting to be resumed");
  expect(markup.indexOf("2 messages wait")).toBeLessThan(markup.indexOf("<textarea"));
  expect(textOf(stopped(0))).not.toContain("is stopped");
});

test("where all are stopped the way back is above every page, and a group names only who is stopped alone", () => {
  const { agents: both } = agents(scout, fakeMain);
  const stopped = (entry: typeof fakeEntry, ...holds: readonly Hold[]): string =>
    textOf(open(createFakeUi({ houseSnapshot: { agents: both, holds } }), entry));
  expect(stopped(fakeEntry, hold("house"))).toContain("Main is stopped.");
  expect(stopped(fakeEntry, hold("house"))).not.toContain("Resume");
  expect(stopped(kitchen, hold("house"))).not.toContain("is stopped");
  const text = stopped(kitchen, hold("house"), hold(scout.id));
  expect(text).toContain("Scout is stopped. Resume");
  expect(text).not.toContain("Main is stopped");
});

test("who may only read has words in the place of the composer, and no button that would be refused", () => {
  const holds = [hold(fakeMain.id)];
  const show = (level: Level): string =>
    open(
      createFakeUi({
        houseSnapshot: { me: createFakeMe(level), holds },
        roomSnapshot: { live: [createFakeLive()] },
      }),
      { ...fakeEntry, room: createFakeRoom(1, "Main", { kind: "group" }) },
    );
  const reads = show("r");
  expect(textOf(reads)).toContain("You can read here, but not write.");
  expect(reads).not.toContain("<textarea");
  for (const words of ["Stop</button>", "Resume</button>"]) expect(reads).not.toContain(words);
  const speaks = show("w");
  expect(speaks).toContain("<textarea");
  expect(speaks).toContain("Stop</button>");
  expect(speaks).not.toContain("Resume</button>");
  expect(show("x")).toContain("Resume</button>");
});

test("an empty room says nothing of writing to who may only read", () => {
  const text = textOf(open(createFakeUi({ houseSnapshot: { me: createFakeMe("r") } }), kitchen));
  expect(text).toContain("Nothing was said here yet");
  expect(text).not.toContain("Write the first message");
});

test("the way to what there is to know about a room stands in its head", () => {
  expect(open(createFakeUi(), kitchen)).toMatch(/<a[^>]*href="\/ui\/settings\/rooms\/kitchen"[^>]*>.*About this room/);
});

test("an agent that runs elsewhere is no offline helper", () => {
  const remote = createFakeAgent(2, "Main", { runs: "elsewhere" });
  const text = textOf(open(createFakeUi({ houseSnapshot: agents(remote) }), kitchen));
  expect(text).toContain("Main (runs elsewhere)");
  expect(text).not.toContain("offline");
});
