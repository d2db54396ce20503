import { expect, test } from "bun:test";
import { createLinkPair, inboxStreamLabel, type Link, type WardenFrame } from "@hearth/protocol";
import { createFakeIds } from "../../../../fixtures/ids.ts";
import { createCellLink } from "./cell-link.ts";

const ids = createFakeIds();
const scope = {
  agent: ids("agent"),
  room: ids("room"),
  person: ids("agent"),
  session: ids("ses"),
  activation: ids("act"),
};

/**
 * Both ends of the link, and the order of events: frames to the inmate, frames to the warden, and
 * copies of the folders.
 */
const openNew = () => {
  const happened: string[] = [];
  const [warden, inmate] = createLinkPair<WardenFrame, object>();
  const look = (what: string) => async (): Promise<void> => {
    // A caller that does not wait for it would see an earlier state.
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    happened.push(what);
  };
  const link = createCellLink({
    link: warden as Parameters<typeof createCellLink>[0]["link"],
    copyIn: look("brought in"),
    copyBrainIn: look("refreshed"),
    copyBack: look("kept"),
    onRunningSteps: (count) => happened.push(`${count} running`),
  });
  const told = inmate.frames[Symbol.asyncIterator]();
  const heard = link.frames[Symbol.asyncIterator]();
  let count = 0;
  return {
    happened,
    openStream: link.openStream,
    async tell(frame: object) {
      count += 1;
      link.send({ ...scope, ...frame, id: count, at: 0 } as WardenFrame);
      await told.next();
      happened.push(`received ${(frame as WardenFrame).type}`);
    },
    async say(frame: object) {
      (inmate as Link<object, unknown>).send({ ...scope, ...frame });
      const { value } = await heard.next();
      happened.push(`heard ${(value as { type: string }).type}`);
    },
  };
};

/** A link whose inmate has sent hello. */
const open = async () => {
  const opened = openNew();
  await opened.say({ type: "hello" });
  opened.happened.length = 0;
  // The initial copy continues meanwhile.
  while (opened.happened.pop() === undefined) await Promise.resolve();
  return opened;
};

const asks = (name: string, step = 1) => ({ type: "step-request", step, call: { id: "1", name, input: {} } });
const runs = (step = 1) => ({
  type: "step-result",
  step,
  result: { verdict: "run", timeoutMs: 1, key: "k", again: false },
});
const did = (step = 1) => ({ type: "step-done", step, text: "", failed: false });

test("no frame reaches the inmate before its hello and the initial copy", async () => {
  const { happened, tell, say } = openNew();
  const told = tell({ type: "stop" });
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
  expect(happened).toEqual([]);
  await say({ type: "hello" });
  await told;
  expect(happened).toEqual(["heard hello", "brought in", "received stop"]);
});

test("a writing step starts with the present brain and ends after its files were copied back", async () => {
  const { happened, tell, say } = await open();
  await say(asks("shell"));
  await tell(runs());
  await say(did());
  expect(happened).toEqual([
    ...["heard step-request", "refreshed", "1 running", "received step-result"],
    ...["0 running", "kept", "heard step-done"],
  ]);
});

test("a reading step waits for no copy", async () => {
  const { happened, tell, say } = await open();
  await tell({ type: "activate", input: {} });
  await say(asks("read"));
  await tell(runs());
  await say(did());
  expect(happened.slice(2)).toEqual(["heard step-request", "refreshed", "received step-result", "heard step-done"]);
});

test("no state is kept of an activation that never began or is over", async () => {
  const { happened, tell, say } = await open();
  await say(asks("read"));
  await tell(runs());
  await say(did());
  expect(happened).toContain("kept");
  await tell({ type: "activate", input: {} });
  await say({ type: "finish", outcome: { kind: "stopped" } });
  happened.length = 0;
  await say(asks("read"));
  await tell(runs());
  await say(did());
  expect(happened).toContain("kept");
});

test("the state of one step does not apply to another", async () => {
  const { happened, tell, say } = await open();
  await tell({ type: "activate", input: {} });
  await say(asks("read", 1));
  await tell(runs(3));
  await say(did(3));
  expect(happened).toContain("kept");
});

test("the files of a step that is cut off by the end of its activation are copied back too", async () => {
  const { happened, tell, say } = await open();
  await say(asks("no such tool"));
  await tell(runs());
  await say({ type: "finish", outcome: { kind: "stopped" } });
  expect(happened.slice(-3)).toEqual(["0 running", "kept", "heard finish"]);
});

test("an activation starts with the present brain, and frames that run nothing do not wait", async () => {
  const { happened, tell, say } = await open();
  await tell({ type: "activate", input: {} });
  await tell({ type: "step-result", step: 1, result: { verdict: "done", text: "", failed: false } });
  await tell({ type: "stop" });
  await say({ type: "model-request", step: 0 });
  await say({ type: "hello", activation: undefined });
  expect(happened).toEqual([
    ...["refreshed", "received activate", "received step-result", "received stop"],
    ...["heard model-request", "heard hello"],
  ]);
});

test("files of messages that a copy of the workspace has are removed from it at the end of the activation", async () => {
  const endOf = async (receive: (opened: Awaited<ReturnType<typeof open>>) => Promise<unknown>, tool = "shell") => {
    const opened = await open();
    await opened.tell({ type: "activate", input: {} });
    await opened.say(asks(tool));
    await receive(opened);
    await opened.tell(runs());
    await opened.say(did());
    opened.happened.length = 0;
    await opened.say({ type: "finish", outcome: { kind: "stopped" } });
    await opened.say({ type: "finish", outcome: { kind: "stopped" } });
    return opened.happened;
  };
  const piece = { type: "file-piece", path: "inbox/a", data: "", isLast: true };
  const byStream = async ({ openStream }: Awaited<ReturnType<typeof open>>) =>
    openStream(inboxStreamLabel(scope.activation, "inbox/a"));
  expect(await endOf(byStream)).toEqual(["kept", "heard finish", "heard finish"]);
  expect(await endOf(({ tell }) => tell(piece))).toEqual(["kept", "heard finish", "heard finish"]);
  expect(await endOf(({ tell }) => tell({ ...piece, stays: true }))).toEqual(["heard finish", "heard finish"]);
  expect(await endOf(byStream, "read")).toEqual(["heard finish", "heard finish"]);
});
