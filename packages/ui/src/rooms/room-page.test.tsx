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
import { draftOf, replyDraftOf } from "./composer/draft.ts";
import { createFakeLive, createFakeMessage, createFakePending, eventId } from "./fake-room.ts";
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

test("a room has its name as heading, and all its parts are reachable", () => {
  const markup = openWith({ messages: [createFakeMessage(1)] });
  expect(markup).toMatch(/<h1[^>]*>Main<\/h1>/);
  expect(markup).toMatch(/role="log"[^>]*aria-label="Messages"/);
  expect(markup).toMatch(/<textarea[^>]*aria-label="Message Main"/);
  expect(markup).toMatch(/<button[^>]*type="submit"[^>]*aria-label="Send"/);
});

test("an agent on the offline helper shows a notice with a link to choose a model", () => {
  const markup = open();
  expect(textOf(markup)).toContain("Main uses the built-in offline helper, which is not a language model.");
  expect(markup).toMatch(/<a[^>]*href="\/ui\/settings\/agents\/main"[^>]*>Choose a model<\/a>/);
});

test("an agent with a model shows the model's name and no notice", () => {
  const markup = open(createFakeUi({ houseSnapshot: agents(thinking) }));
  expect(textOf(markup)).toContain("Main claude-sonnet-5-5");
  expect(markup).toContain('href="/ui/settings/agents/main"');
  expect(markup).not.toContain("offline");
});

test("a group lists its agents with models, then the other people", () => {
  const markup = open(createFakeUi({ houseSnapshot: agents(scout, boris, fakeMain) }), kitchen);
  expect(textOf(markup)).toContain("Main offline helper , Scout gpt-5 , Boris");
  expect(markup).not.toContain("Choose a model");
});

test("only members are listed in a group with a list, and long lists are shortened", () => {
  const many = Array.from({ length: 7 }, (_, index) => createFakeAgent(10 + index, `Bot ${index}`));
  const entry = { ...kitchen, room: createFakeRoom(2, "Kitchen", { members: many.map((agent) => agent.id) }) };
  const text = textOf(open(createFakeUi({ houseSnapshot: agents(...many, boris) }), entry));
  expect(text).toContain("Bot 3 offline helper and 3 more");
  expect(text).not.toContain("Boris");
});

test("an empty direct room shows its agent and four suggestions", () => {
  const markup = open();
  expect(markup).toMatch(/<h2[^>]*>Main<\/h2>/);
  const group = /role="group" aria-label="Suggestions">(.*?)<\/div>/.exec(markup)?.[1] ?? "";
  expect(textOf(group)).toBe("remember that … what do you remember? list files help");
});

test("an agent with a model has other suggestions and its own description", () => {
  const described = createFakeAgent(2, "Main", { model: "openai/gpt-5", description: "I water the plants." });
  const text = textOf(open(createFakeUi({ houseSnapshot: agents(described) })));
  expect(text).toContain("I water the plants.");
  expect(text).toContain("What can you do for me?");
  expect(text).not.toContain("list files");
});

test("an empty group explains mentions", () => {
  expect(textOf(open(createFakeUi({ houseSnapshot: agents(scout) }), kitchen))).toContain("such as @scout");
});

test("a room that is opening or failed shows its state in place of the messages", () => {
  const loading = openWith({ state: { kind: "loading" } });
  expect(loading).toContain("Opening the room");
  const error = new HearthError("record.not-found", "This room is gone.", { hint: "Choose another one." });
  const failed = openWith({ state: { kind: "failed", error } });
  expect(textOf(failed)).toContain("This room is gone. Choose another one.");
  expect(textOf(failed)).toContain("Try again Hearth retries automatically.");
  for (const markup of [loading, failed]) expect(markup).toContain("<textarea");
});

test("messages written before a room opens are shown as queued", () => {
  const error = new HearthError("record.not-found", "This room is gone.");
  for (const state of [{ kind: "loading" }, { kind: "failed", error }] as const) {
    const markup = openWith({ state, pending: [createFakePending({ text: "written early" })] });
    expect(markup).toMatch(/role="log"[^>]*aria-label="Messages".*written early/);
    expect(textOf(markup)).toContain("Queued");
    expect(openWith({ state })).not.toContain('role="log"');
  }
});

test("a room with older messages is not empty", () => {
  expect(openWith({ hasOlder: true })).toContain('role="log"');
});

test("a draft is restored into the composer and can be sent", () => {
  const ui = createFakeUi();
  expect(open(ui)).toMatch(/<button[^>]*disabled=""[^>]*aria-label="Send"/);
  draftOf(ui.storage, fakeEntry.room.id).write("half a thought");
  const markup = open(ui);
  expect(markup).toContain(">half a thought</textarea>");
  expect(markup).not.toMatch(/<button[^>]*disabled=""[^>]*aria-label="Send"/);
});

test("a text over the length limit is kept, with a warning", () => {
  const ui = createFakeUi();
  draftOf(ui.storage, fakeEntry.room.id).write("x".repeat(MAX_MESSAGE_LENGTH + 5));
  const markup = open(ui);
  expect(markup).toContain('aria-invalid="true"');
  expect(textOf(markup)).toContain("5 characters too many.");
});

test("a brief connection loss is not shown", () => {
  expect(openWith({ isCurrent: false })).not.toContain("Messages are sent when");
});

test("loading older messages shows a spinner at the top", () => {
  const markup = openWith({ messages: [createFakeMessage(1)], hasOlder: true, isLoadingOlder: true });
  expect(markup).toContain("Loading earlier messages");
  expect(markup).toContain('aria-busy="true"');
});

const hold = (scope: Hold["scope"]): Hold => ({ scope, by: fakeOwner.id, at: 1 });

test("a stopped agent shows a line above the composer, with queued messages and a resume button", () => {
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

test("if all agents are stopped, a group shows no line per agent", () => {
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

test("a viewer sees a notice instead of the composer, and no actions", () => {
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
  expect(textOf(reads)).toContain("You have read access only.");
  expect(reads).not.toContain("<textarea");
  for (const words of ['aria-label="Stop"', "Resume</button>"]) expect(reads).not.toContain(words);
  const speaks = show("w");
  expect(speaks).toContain("<textarea");
  expect(speaks).toContain('aria-label="Stop"');
  expect(speaks).not.toContain("Resume</button>");
  expect(show("x")).toContain("Resume</button>");
});

test("the send button becomes a stop button while an agent answers and nothing is typed", () => {
  const live = [createFakeLive()];
  const buttonsOf = (roomSnapshot: Partial<RoomSnapshot>, typed = ""): readonly string[] => {
    const ui = createFakeUi({ roomSnapshot });
    draftOf(ui.storage, fakeEntry.room.id).write(typed);
    return ["Send", "Stop", "Stop all"].filter((label) => open(ui).includes(`aria-label="${label}"`));
  };
  expect(buttonsOf({})).toEqual(["Send"]);
  expect(buttonsOf({ live })).toEqual(["Stop"]);
  expect(buttonsOf({ live: [...live, createFakeLive({ isStopping: true })] })).toEqual(["Stop all"]);
  expect(buttonsOf({ live }, "more")).toEqual(["Send"]);
});

test("a room shows the message that the composer answers, also after a reload", () => {
  const ui = createFakeUi({ roomSnapshot: { messages: [createFakeMessage(1, { text: "One" })] } });
  replyDraftOf(ui.storage, fakeEntry.room.id).write(eventId(1));
  expect(open(ui)).toContain('role="group" aria-label="Reply to You: One"');
});

test("an empty room does not ask a viewer to write", () => {
  const text = textOf(open(createFakeUi({ houseSnapshot: { me: createFakeMe("r") } }), kitchen));
  expect(text).toContain("No messages yet");
  expect(text).not.toContain("Write the first message");
});

test("the header has one menu, named by the title of the chat", () => {
  expect(open(createFakeUi(), kitchen)).toMatch(/<button[^>]*aria-haspopup="menu"[^>]*aria-label="Options of Kitchen"/);
});

test("an agent that runs elsewhere is not the offline helper", () => {
  const remote = createFakeAgent(2, "Main", { runs: "elsewhere" });
  const text = textOf(open(createFakeUi({ houseSnapshot: agents(remote) }), kitchen));
  expect(text).toContain("Main (runs elsewhere)");
  expect(text).not.toContain("offline");
});
