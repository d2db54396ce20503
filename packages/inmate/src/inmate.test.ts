import { expect, test } from "bun:test";
import { createLinkPair, type InmateFrame } from "@hearth/protocol";
import { sayHello } from "./hello.ts";
import { runInmate } from "./inmate.ts";
import type { Tools } from "./tools/index.ts";

const tools: Tools = {
  run: async () => ({ text: "", failed: false }),
  stop: async () => {},
};
const clock = { now: () => 0, monotonic: () => 0, sleep: async () => {}, turn: async () => {} };

test.each([[null], ["activate"], [{}], [{ type: "hello" }], [{ type: "toString" }]])(
  "an invalid frame ends the inmate: %j",
  async (frame) => {
    const [warden, inmate] = createLinkPair<unknown, InmateFrame>();
    const over = runInmate({ link: inmate, say: sayHello({ link: inmate, clock, runtime: "test" }), tools });
    warden.send(frame);
    warden.close();
    await expect(over).rejects.toMatchObject({ code: "cell.protocol" });
  },
);
