import { expect, test } from "bun:test";
import { describeExit } from "./exit-description.ts";

const end = { code: 0, signal: null, words: "", stopped: undefined, memoryMiB: 256 };

test("the way a machine stops explains why its inmate ended; otherwise QEMU's exit is reported", () => {
  expect(describeExit({ ...end, stopped: "guest-shutdown" })).toBe(
    "its machine ended because it used up its 256 MiB of memory",
  );
  expect(describeExit({ ...end, stopped: "guest-reset" })).toBe("its machine shut down because its inmate ended");
  expect(describeExit({ ...end, code: 137, signal: "SIGKILL" })).toBe("its machine ended with SIGKILL");
  expect(describeExit({ ...end, code: 1, words: "no such device" })).toBe("its machine ended with 1: no such device");
});
