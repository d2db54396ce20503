/** The last step of a turn is committed with the reply, or separately if no reply follows. */
import { expect, test } from "bun:test";
import { bootInmate } from "@hearth/inmate/bun/boot";
import type { InmateFrame } from "@hearth/protocol";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createInlineBackend } from "../../src/cells/inline.ts";
import { createTestDisk, openTestHouse, type TestDisk, type TestHouse } from "../../src/fixtures/house.ts";
import { call, listsFirst } from "../../src/fixtures/talk.ts";
import type { Change, Write } from "../../src/kernel/store/store.ts";

type Send = (frame: InmateFrame) => void;

/** Cells whose inmates send `finish` as the test wants. */
const backendThat = (finish: (frame: InmateFrame, send: Send, close: () => void) => void) =>
  createInlineBackend({
    boot: ({ link, workspace }) =>
      bootInmate({
        clock: createBunWorld().clock,
        workspace,
        link: {
          ...link,
          send: (frame) => (frame.type === "finish" ? finish(frame, link.send, link.close) : link.send(frame)),
        },
      }),
  });

const stepsOf = async (house: TestHouse) => {
  const { json: activations } = await house.ask("GET", "/api/agents/main/activations");
  return (await house.ask("GET", `/api/activations/${activations[0].id}`)).json.steps;
};

const watched = (disk: TestDisk): { readonly disk: TestDisk; readonly changes: readonly Change[] } => {
  const changes: Change[] = [];
  const store: TestDisk["store"] = {
    ...disk.store,
    commit(change) {
      changes.push(change);
      return disk.store.commit(change);
    },
  };
  return { disk: { ...disk, store }, changes };
};

test("the last step and the reply are one commit", async () => {
  using disk = createTestDisk();
  const { disk: seen, changes } = watched(disk);
  await using house = await openTestHouse({ disk: seen, script: [{ text: "hello" }] });
  await house.post("hi");
  await house.until(2);
  const ends = changes.filter(({ writes }) =>
    writes.some((write) => write.kind === "update" && write.table === "steps" && write.set.state === "done"),
  );
  expect(ends).toHaveLength(1);
  const told = ends[0]?.writes.filter((write) => write.kind === "append" && write.stream.startsWith("audit:")) ?? [];
  expect(told.map((write) => write.kind === "append" && write.event.type)).toEqual(["step", "activation"]);
  // Rows of spending and usage may be part of any commit, and the log entry of a beginning of a short turn's end.
  const isRider = (write: Write): boolean =>
    write.kind === "append"
      ? write.event.type === "activation-started"
      : write.table === "spend" || write.table === "model_usage";
  const others = ends[0]?.writes.filter((write) => !told.includes(write) && !isRider(write));
  expect(others?.map((write): string => ("table" in write ? write.table : write.kind))).toEqual([
    ...["steps", "activations", "append", "append"],
  ]);
});

test("a cell that dies between the last step and the reply costs no second model call", async () => {
  using disk = createTestDisk();
  let lives = 0;
  const backend = backendThat((frame, send, close) => {
    lives += 1;
    if (lives === 1) close();
    else send(frame);
  });
  await using house = await openTestHouse({ disk, backend, script: listsFirst({ text: "hello" }) });
  await house.post("hi");
  const [, reply] = await house.until(2);
  expect([reply?.body.text, lives, house.model.requests.length]).toEqual(["hello", 2, 2]);
});

test("a turn that is stopped between the last step and the reply keeps the step in its journal", async () => {
  using disk = createTestDisk();
  const said = Promise.withResolvers<void>();
  const backend = backendThat(() => said.resolve());
  await using house = await openTestHouse({ disk, backend, script: listsFirst({ text: "hello" }) });
  await house.post("hi");
  await said.promise;
  await house.ask("POST", "/api/agents/main/stop");
  expect(await stepsOf(house)).toMatchObject([
    { kind: "model", state: "done" },
    { kind: "tool", state: "done" },
    { kind: "model", state: "done" },
  ]);
  expect(await house.messages()).toMatchObject([{ body: { text: "hi" } }, { body: { text: "hello" }, stopped: true }]);
});

test("every step of an inmate that continues after `finish` is stored, in order", async () => {
  using disk = createTestDisk();
  const { disk: seen, changes } = watched(disk);
  let asked: InmateFrame | undefined;
  const backend = createInlineBackend({
    boot: ({ link, workspace }) =>
      bootInmate({
        clock: createBunWorld().clock,
        workspace,
        link: {
          ...link,
          send(frame) {
            if (frame.type === "model-request") asked = frame;
            if (frame.type !== "finish" || asked?.type !== "model-request" || asked.step > 2) return link.send(frame);
            asked = { ...asked, id: frame.id, step: 3 };
            link.send(asked);
            // The inmate sends `finish` before it can have an answer.
            link.send({ ...frame, id: frame.id + 1 });
          },
        },
      }),
  });
  await using house = await openTestHouse({
    disk: seen,
    backend,
    script: [call("list", {}), { text: "one" }, { text: "two" }],
  });
  await house.post("hi");
  await house.until(2);
  expect(await stepsOf(house)).toMatchObject([
    { kind: "model", state: "done" },
    { kind: "tool", state: "done" },
    { kind: "model", state: "done" },
    { kind: "model", state: "done" },
  ]);
  const steps = changes.flatMap(({ writes }) =>
    writes.flatMap((write) =>
      write.kind === "put" && write.table === "steps"
        ? ["begun"]
        : write.kind === "update" && write.table === "steps"
          ? ["done"]
          : [],
    ),
  );
  expect(steps).toEqual(["begun", "done", "begun", "done", "begun", "done", "begun", "done"]);
});
