import { expect, test } from "bun:test";
import { type ActivationInput, createLinkPair, type FrameScope, type InmateFrame } from "@hearth/protocol";
import { sendHello } from "./hello.ts";
import { runInmate } from "./inmate.ts";
import type { Tools } from "./tools/index.ts";

const tools: Tools = {
  run: async () => ({ text: "", failed: false }),
  inbox: {
    writeReceived: async () => {},
    writePermanent: async () => {},
    remove: async () => {},
    clear: async () => {},
  },
  stop: async () => {},
};
const scope = { agent: "a", room: "r", person: "p", session: "s", activation: "t" } as unknown as FrameScope;
const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {}, turn: async () => {} };

test.each([[null], ["activate"], [{}], [{ type: "hello" }], [{ type: "toString" }]])(
  "an invalid frame ends the inmate: %j",
  async (frame) => {
    const [warden, inmate] = createLinkPair<unknown, InmateFrame>();
    const over = runInmate({ link: inmate, sendFrame: sendHello({ link: inmate, clock, runtime: "test" }), tools });
    warden.send(frame);
    warden.close();
    await expect(over).rejects.toMatchObject({ code: "cell.protocol" });
  },
);

const input: ActivationInput = {
  agent: { name: "Main", handle: "main" },
  room: { name: "main", kind: "direct" },
  house: { name: "home" },
  parts: [],
  history: [{ role: "tool", call: "1", name: "list", text: "", failed: false }],
  withheld: 7,
  tools: ["list"],
  maxRounds: 3,
};

test("the first request keeps the messages that stay with the warden, and later ones the rest too", async () => {
  const [warden, inmate] = createLinkPair<unknown, InmateFrame>();
  const over = runInmate({ link: inmate, sendFrame: sendHello({ link: inmate, clock, runtime: "test" }), tools });
  warden.send({ type: "activate", ...scope, input });
  const requests: unknown[] = [];
  for await (const frame of warden.frames) {
    if (frame.type === "finish") break;
    if (frame.type === "step-request")
      warden.send({ type: "step-result", ...scope, step: 1, result: { verdict: "done", text: "x", failed: false } });
    if (frame.type !== "model-request") continue;
    requests.push([frame.kept, frame.messages.map(({ role }) => role)]);
    const toolCalls = frame.step === 0 ? [{ id: "c", name: "list", input: {} }] : [];
    const message = { role: "assistant", text: "done", toolCalls };
    warden.send({ type: "model-result", ...scope, step: frame.step, result: { message } });
  }
  expect(requests).toEqual([
    [8, []],
    [8, ["assistant", "tool"]],
  ]);
  warden.close();
  await over;
});

test("the answers that come with an activation count as steps, and the first request is the tool call", async () => {
  const [warden, inmate] = createLinkPair<unknown, InmateFrame>();
  const over = runInmate({ link: inmate, sendFrame: sendHello({ link: inmate, clock, runtime: "test" }), tools });
  const answers = [
    { intake: [{ role: "user", text: "and this" }] },
    { message: { role: "assistant", text: "", toolCalls: [{ id: "c", name: "list", input: {} }] } },
  ];
  warden.send({ type: "activate", ...scope, input, answers });
  const requests: unknown[] = [];
  for await (const frame of warden.frames) {
    if (frame.type === "step-request") {
      requests.push([frame.step, frame.call.name]);
      const result = { verdict: "done", text: "x", failed: false };
      warden.send({ type: "step-result", ...scope, step: frame.step, result });
    }
    if (frame.type !== "model-request") continue;
    requests.push([frame.step, frame.kept, frame.messages.map(({ role }) => role)]);
    break;
  }
  expect(requests).toEqual([
    [2, "list"],
    [3, 9, ["assistant", "tool"]],
  ]);
  warden.close();
  await over;
});
