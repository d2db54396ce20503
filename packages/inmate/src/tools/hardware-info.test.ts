import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

test("the hardware is described in four lines", async () => {
  expect(await createFakeTools().run("hardware_info", {})).toEqual({
    text: "system: Fake 1.0 x64\nprocessors: 2 (one of ours)\nmemory: 100 of 1024 MiB free\ndisk: 7 of 2048 MiB free",
    failed: false,
  });
});
