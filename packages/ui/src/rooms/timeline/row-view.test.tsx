import { expect, test } from "bun:test";
import { HearthError, type Level, UploadId } from "@hearth/protocol";
import { createFakeAgent, createFakeRoom, createFakeUi, fakeEntry, fakeMain } from "../../house/fake-ui.tsx";
import {
  activationId,
  createFakeEnded,
  createFakeLive,
  createFakeMessage,
  createFakePending,
  createFakeReply,
  createFakeTool,
  eventId,
  NOON,
} from "../fake-room.ts";
import { renderPart, textOf } from "../fake-view.tsx";
import { EditForm } from "../composer/edit/edit-form.tsx";
import { editDraftOf } from "../composer/draft.ts";
import { RowView } from "./row-view.tsx";
import type { Row } from "./rows.ts";
import { startOfDay } from "./rows.ts";
import type { RoomView } from "../room-view.tsx";

const today = startOfDay(NOON);
const draw = (row: Partial<Row> & Pick<Row, "kind">, more: Partial<RoomView> = {}, ui = createFakeUi({ now: NOON })) =>
  renderPart(
    <RowView row={{ key: "row", day: undefined, isGroupStart: true, ...row } as Row} today={today} />,
    more,
    ui,
  );

test("a message is an article labelled with author and time, and renders Markdown", () => {
  const markup = draw({ kind: "message", message: createFakeReply(1, { at: NOON, text: "It is **noon**." }) });
  expect(markup).toMatch(/<article[^>]*aria-label="Main, 12:00\s?PM"/);
  expect(markup).toContain("<strong>noon</strong>");
  expect(markup).toContain(`dateTime="${new Date(NOON).toISOString()}"`);
});

test("attachments are pictures and downloads, and markup in a name is text", () => {
  const about = { hash: "0".repeat(64), sizeBytes: 1200 };
  const attachments = [
    { ...about, id: UploadId.parse(`upl_${"1".repeat(26)}`), name: "a.png", type: "image/png", width: 3, height: 2 },
    { ...about, id: UploadId.parse(`upl_${"2".repeat(26)}`), name: "<b>.svg", type: "text/plain" },
  ];
  const markup = draw({ kind: "message", message: createFakeMessage(1, { text: "", attachments }) });
  const url = (digit: number): string => `/api/rooms/${fakeEntry.room.id}/attachments/upl_${`${digit}`.repeat(26)}`;
  expect(markup).toContain(`<img src="${url(1)}" alt="Picture a.png" width="3" height="2" loading="lazy"`);
  expect(markup).toContain(`href="${url(2)}" download="&lt;b&gt;.svg" aria-label="Download &lt;b&gt;.svg, 1.2 kB"`);
  expect(markup.match(/<img /g)).toHaveLength(1);
});

test("a message that waits shows its files", () => {
  const files = [{ key: "a", name: "a.txt", sizeBytes: 1500 }];
  const markup = draw({ kind: "pending", message: createFakePending({ text: "", files }) });
  expect(textOf(markup)).toContain("a.txt 0 bytes of 1.5 kB");
  expect(markup).not.toContain("Remove a.txt");
  const error = new HearthError("auth.denied", "No.");
  const refused = textOf(draw({ kind: "pending", message: createFakePending({ files, state: "refused", error }) }));
  expect([refused.includes("Discard"), refused.includes("Edit")]).toEqual([true, false]);
});

test("only the author can edit a message", () => {
  const own = draw({ kind: "message", message: createFakeMessage(1) });
  const other = draw({ kind: "message", message: createFakeReply(1) });
  expect(own).toContain('aria-label="You, ');
  expect(own).toContain('aria-label="Edit message"');
  expect(other).not.toContain('aria-label="Edit message"');
  for (const markup of [own, other]) {
    for (const label of ["Copy message", "Delete message", "More"]) expect(markup).toContain(`aria-label="${label}"`);
  }
});

test("authors with write access can edit, and admins can delete", () => {
  const names = (message: ReturnType<typeof createFakeMessage>, level: Level | undefined): readonly string[] =>
    ["Edit and resend", "Edit message", "Delete message", "Copy message"].filter((name) =>
      draw({ kind: "message", message }, { level }).includes(`aria-label="${name}"`),
    );
  const [own, other] = [createFakeMessage(1), createFakeReply(1)];
  expect(names(own, "w")).toEqual(["Edit and resend", "Edit message", "Delete message", "Copy message"]);
  for (const level of ["r", undefined] as const) expect(names(own, level)).toEqual(["Copy message"]);
  expect(names(other, "w")).toEqual(["Copy message"]);
  expect(names(other, "x")).toEqual(["Delete message", "Copy message"]);
  expect(draw({ kind: "message", message: own }, { level: "r", editedMessage: own.id })).not.toContain("<textarea");
});

test("a failed run can be retried with write access", () => {
  const ended = {
    kind: "ended" as const,
    activation: createFakeEnded({ state: "failed" }),
    cause: createFakeMessage(1),
  };
  expect(draw(ended, { level: "w" })).toContain("Try again");
  expect(draw(ended, { level: "r" })).not.toContain("Try again");
});

test("within a group of messages, author and time are only in the label", () => {
  const markup = draw({ kind: "message", message: createFakeReply(1), isGroupStart: false });
  expect(textOf(markup)).not.toContain("Main");
  expect(markup).not.toContain("<time");
  expect(markup).toContain('aria-label="Main, ');
});

test("the first row of a day has a date heading", () => {
  expect(draw({ kind: "message", message: createFakeMessage(1), day: today })).toContain(">Today</h2>");
});

test("invisible characters in an author's name are shown", () => {
  const agents = new Map([[fakeMain.id, createFakeAgent(2, "Ma\u202ein")]]);
  expect(draw({ kind: "message", message: createFakeReply(1) }, { agents })).toContain('aria-label="Ma‹U+202E›in, ');
});

test("an edited message shows when it was edited", () => {
  const markup = draw({ kind: "message", message: createFakeMessage(1, { editedAt: NOON }) });
  expect(markup).toMatch(/title="[^"]*2026[^"]*"[^>]*>\(edited\)/);
});

test("a deleted message says so and has no actions", () => {
  const markup = draw({ kind: "message", message: createFakeReply(1, { text: "", isDeleted: true, toolCalls: 3 }) });
  expect(textOf(markup)).toContain("Message deleted");
  for (const gone of ["Copy message", "Delete message", "Used 3 tools"]) expect(markup).not.toContain(gone);
});

test("an edited message shows a form with its draft", () => {
  const ui = createFakeUi();
  const message = createFakeMessage(1, { text: "before" });
  const form = () => renderPart(<EditForm message={message} onDone={() => {}} />, { editedMessage: message.id }, ui);
  expect(form()).toMatch(/aria-label="Edit message"[^>]*>before<\/textarea>/);
  editDraftOf(ui.storage, message.id).write("half of it");
  expect(form()).toContain(">half of it</textarea>");
  // Until the form has loaded, the message shows its text without buttons.
  const loading = draw({ kind: "message", message }, { editedMessage: message.id }, ui);
  expect(loading).toContain("<p>before</p>");
  expect(loading).not.toContain("Delete message");
});

test("messages of others cannot be edited", () => {
  const message = createFakeReply(1);
  expect(draw({ kind: "message", message }, { editedMessage: message.id })).not.toContain("<textarea");
});

test("a reply that used tools shows their number, collapsed", () => {
  const markup = draw({ kind: "message", message: createFakeReply(1, { toolCalls: 3 }) });
  expect(markup).toMatch(/<button[^>]*aria-expanded="false"[^>]*>.*Used 3 tools<\/button>/);
  expect(draw({ kind: "message", message: createFakeReply(1) })).not.toContain("Used");
});

test("expanded tools load, or show what was seen during the run, without the answer", () => {
  const row = { kind: "message", message: createFakeReply(1, { toolCalls: 1 }) } as const;
  const opened = new Set([activationId(1)]);
  expect(draw(row, { openedKeys: opened })).toContain("Loading tool calls");
  const shown = new Map([[activationId(1), [createFakeTool(), { kind: "text", text: "the answer" } as const]]]);
  const markup = draw(row, { openedKeys: opened, receivedParts: shown });
  expect(textOf(markup)).toContain("Read notes.md");
  expect(textOf(markup)).not.toContain("the answer");
});

test("an active run shows its text, tools and current step", () => {
  const parts = [
    { kind: "text", text: "I will **look**." } as const,
    createFakeTool({ call: "a", durationMs: 420 }),
    createFakeTool({ call: "b", name: "shell", input: { command: "ls" }, state: "failed" }),
    createFakeTool({ call: "d", input: { path: "a.md" }, state: "unknown" }),
    createFakeTool({ call: "c", input: { path: "log.md" }, state: "running", startedAt: NOON - 5000 }),
  ];
  const markup = draw({ kind: "live", activation: createFakeLive({ parts }), isSole: true });
  const text = textOf(markup);
  expect(markup).toContain('aria-label="Main, working"');
  expect(markup).toContain("<strong>look</strong>");
  expect(text).toContain("Done: Read notes.md 420 ms");
  expect(text).toContain("Ran ls failed");
  expect(text).toContain("Read a.md unknown result");
  expect(markup).toContain('aria-label="Running"');
  expect(text).toEndWith("Reading log.md 5 s");
});

test("the composer stops a sole run; each of several runs has a stop button", () => {
  expect(draw({ kind: "live", activation: createFakeLive(), isSole: true })).not.toContain("Stop</button>");
  expect(draw({ kind: "live", activation: createFakeLive(), isSole: false })).toContain("Stop</button>");
});

test("a run that is being stopped has no active stop button", () => {
  const markup = draw({ kind: "live", activation: createFakeLive({ isStopping: true }), isSole: false });
  expect(textOf(markup)).toContain("Stopping");
  expect(markup).toMatch(/<button[^>]*aria-disabled="true"[^>]*>.*Stop<\/button>/);
});

test("a reply shows the message that it answers, and a viewer cannot reply", () => {
  const ui = createFakeUi({ now: NOON, roomSnapshot: { messages: [createFakeReply(1, { text: "It is\nnoon." })] } });
  const answer = createFakeMessage(2, { text: "Thanks", replyTo: eventId(1) });
  expect(textOf(draw({ kind: "message", message: answer }, {}, ui))).toContain("Main: It is noon. Thanks");
  const other = createFakeMessage(3, { text: "Thanks", replyTo: eventId(9) });
  expect(textOf(draw({ kind: "message", message: other }, {}, ui))).toContain("an earlier message Thanks");
  expect(draw({ kind: "message", message: answer }, {}, ui)).toContain('aria-label="Reply"');
  expect(draw({ kind: "message", message: answer }, { level: "r" }, ui)).not.toContain('aria-label="Reply"');
});

const cause = createFakeMessage(1, { text: "Plan my week" });
const drawEnd = (more: Parameters<typeof createFakeEnded>[0], row: object = {}, view: Partial<RoomView> = {}): string =>
  draw({ kind: "ended", activation: createFakeEnded(more), cause, ...row }, view);

test("a failure shows message, hint and a retry button", () => {
  const error = { code: "tool.failed", message: "The disk is full.", hint: "Make room." } as const;
  const text = textOf(drawEnd({ error }));
  for (const part of ["The disk is full.", "Make room.", "Try again"]) expect(text).toContain(part);
  expect(text).not.toContain("Model settings");
});

test("a model failure links to the agent's settings, a key failure to the providers", () => {
  const busy = drawEnd({ error: { code: "provider.overloaded", message: "x" } });
  expect(busy).toContain('href="/ui/settings/agents/main"');
  const refused = drawEnd({ error: { code: "provider.auth", message: "The key was refused." } });
  expect(refused).toContain('href="/ui/settings/models"');
});

test("a failure is not a landmark: a room may contain many with the same name", () => {
  const markup = drawEnd({ error: { code: "tool.failed", message: "x" } });
  expect(markup).toContain('role="group" aria-label="Main could not answer"');
  expect(markup).not.toContain("<section");
});

test("a stopped reply keeps its text and says who stopped it", () => {
  const text = textOf(draw({ kind: "message", message: createFakeReply(2, { text: "Half of", isStopped: true }) }));
  expect(text).toContain("Half of");
  expect(text).toContain("You stopped Main.");
});

test("the prompt of a job is shown as the job's, not as its owner's message", () => {
  const markup = draw({ kind: "message", message: createFakeMessage(2, { text: "Look at the news", job: "morning" }) });
  expect(markup).toContain('aria-label="Scheduled job morning,');
  expect(textOf(markup)).toContain("Look at the news");
  expect(markup).not.toContain("You, ");
  expect(markup).not.toContain("Edit");
});

test("a failure without an error shows its reason", () => {
  expect(textOf(drawEnd({ reason: "It took too long." }))).toContain("It took too long.");
});

test("a failure after a deleted message cannot be retried; after another person's message it can", () => {
  const gone = { cause: { ...cause, isDeleted: true } };
  const another = { cause: { ...cause, author: fakeMain.id } };
  expect(textOf(drawEnd({}, gone))).not.toContain("Try again");
  expect(textOf(drawEnd({}, another, { level: "w" }))).toContain("Try again");
});

test("a stopped run says who stopped it, if known", () => {
  const stopped = { state: "stopped", reason: "It was stopped." } as const;
  expect(textOf(drawEnd(stopped))).toBe("You stopped Main.");
  expect(textOf(drawEnd(stopped, {}, { room: createFakeRoom(2, "Kitchen") }))).toBe("Main was stopped.");
  expect(textOf(drawEnd({ state: "stopped", reason: "Its message was deleted." }))).toBe("Its message was deleted.");
});

test("a partial reply stays after a stop or failure, without running tools", () => {
  const running = createFakeTool({ call: "call-2", state: "running", name: "shell" });
  const parts = [createFakeTool(), { kind: "text", text: "I would **begin**" } as const, running];
  const shown = new Map([[activationId(1), parts]]);
  const stopped = { state: "stopped", reason: "It was stopped." } as const;
  const markup = drawEnd(stopped, {}, { receivedParts: shown });
  expect(markup).toContain('aria-label="Main, incomplete reply"');
  expect(markup).toContain("<strong>begin</strong>");
  expect(markup.match(/<svg/g)?.length).toBe(
    drawEnd(stopped, {}, { receivedParts: new Map([[activationId(1), parts.slice(0, 2)]]) }).match(/<svg/g)?.length,
  );
  expect(textOf(drawEnd({ reason: "It took too long." }, {}, { receivedParts: shown }))).toContain("begin");
  const deletedCause = { ...cause, isDeleted: true };
  expect(textOf(drawEnd(stopped, { cause: deletedCause }, { receivedParts: shown }))).not.toContain("begin");
  const runningParts = new Map([[activationId(1), [running]]]);
  expect(drawEnd(stopped, {}, { receivedParts: runningParts })).not.toContain("incomplete reply");
});

test("a skipped run shows its reason", () => {
  expect(textOf(drawEnd({ state: "skipped", reason: "The agent had nothing to say." }))).toBe(
    "The agent had nothing to say.",
  );
});

test("a pending message shows its state", () => {
  const connection = { kind: "lost", retryAt: 0 } as const;
  const say = (message: Parameters<typeof createFakePending>[0], ui = createFakeUi()): string =>
    textOf(draw({ kind: "pending", message: createFakePending(message) }, {}, ui));
  expect(say({ state: "sending" })).toBe("sending Sending");
  expect(say({}, createFakeUi({ houseSnapshot: { connection } }))).toBe("sending Waiting for the connection");
  const ui = createFakeUi();
  const page = { ...ui.page, isOnline: () => false };
  expect(say({}, { ...ui, page })).toBe("sending Waiting for the connection");
  expect(say({})).toBe("sending Queued");
});

test("a rejected message shows the reason, and can be retried, edited or discarded", () => {
  const error = new HearthError("request.too-large", "The message is too long.", { hint: "Send it in parts." });
  const markup = draw({ kind: "pending", message: createFakePending({ state: "refused", error }) });
  expect(markup).toMatch(/aria-label="You, [^"]*, not sent"/);
  for (const part of ["The message is too long.", "Send it in parts.", "Retry", "Edit", "Discard"])
    expect(textOf(markup)).toContain(part);
});

test("rows can be found by key", () => {
  expect(draw({ kind: "message", key: eventId(1), message: createFakeMessage(1) })).toContain(
    `data-row="${eventId(1)}"`,
  );
});
