/** The rounds up to the first tool call run in the warden. */
import { expect, test } from "bun:test";
import { bootInmate } from "@hearth/inmate/bun/boot";
import type { InmateFrame, WardenFrame } from "@hearth/protocol";
import { createBunWorld } from "../../src/adapter/bun/world.ts";
import { createInlineBackend } from "../../src/cells/inline.ts";
import { createTestDisk, openTestHouse, type TestDisk } from "../../src/fixtures/house.ts";
import { listsFirst } from "../../src/fixtures/talk.ts";
import type { Script } from "../../src/models/scripted/scripted.ts";

/** A house that records the frames of its cells, in both directions. */
const openWatchedHouse = async (disk: TestDisk, script: Script) => {
  const { clock } = createBunWorld();
  const frames: (WardenFrame | InmateFrame)[] = [];
  const backend = createInlineBackend({
    boot({ link, workspace }) {
      const received = async function* () {
        for await (const frame of link.frames as AsyncIterable<WardenFrame>) {
          frames.push(frame);
          yield frame;
        }
      };
      const send = (frame: InmateFrame): void => {
        frames.push(frame);
        link.send(frame);
      };
      return bootInmate({ clock, workspace, link: { ...link, frames: received(), send } });
    },
  });
  return { house: await openTestHouse({ disk, script, backend }), frames };
};

test("a turn without tool calls sends nothing to its cell", async () => {
  using disk = createTestDisk();
  const { house, frames } = await openWatchedHouse(disk, () => ({ text: "hello" }));
  await house.post("hi");
  expect((await house.until(2)).at(-1)?.body.text).toBe("hello");
  await house[Symbol.asyncDispose]();
  expect(frames.map(({ type }) => type)).toEqual(["hello"]);
});

test("the cell begins with the model's first tool call", async () => {
  using disk = createTestDisk();
  const { house, frames } = await openWatchedHouse(disk, listsFirst({ text: "done" }));
  await house.post("hi");
  expect((await house.until(2)).at(-1)?.body.text).toBe("done");
  await house[Symbol.asyncDispose]();
  expect(frames.slice(0, 3)).toMatchObject([
    { type: "hello" },
    { type: "activate", answers: [{ message: { toolCalls: [{ name: "list" }] } }] },
    { type: "step-request", step: 1, call: { name: "list" } },
  ]);
  expect(frames.filter(({ type }) => type === "model-request")).toMatchObject([{ step: 2 }]);
  expect(house.model.requests).toHaveLength(2);
});
