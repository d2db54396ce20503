import { expect, test } from "bun:test";
import { createFakeTools } from "./tools-fake.ts";

test("the time is in the requested zone", async () => {
  const { run, world } = createFakeTools();
  await world.advance(((180 * 24 + 23) * 60 + 5) * 60_000);
  expect(await run("time", {})).toEqual({ text: "Tuesday 2026-06-30 23:05:00 UTC (GMT+00:00)", failed: false });
  expect((await run("time", { zone: "Asia/Kolkata" })).text).toBe(
    "Wednesday 2026-07-01 04:35:00 Asia/Kolkata (GMT+05:30)",
  );
  expect((await run("time", { zone: "Europe/Berlin" })).text).toBe(
    "Wednesday 2026-07-01 01:05:00 Europe/Berlin (GMT+02:00)",
  );
});

test("midnight is 00, not 24", async () => {
  const { run } = createFakeTools();
  expect((await run("time", {})).text).toContain("2026-01-01 00:00:00");
});

test("an unknown zone is explained", async () => {
  const { run } = createFakeTools();
  expect(await run("time", { zone: "Mars/Base" })).toEqual({
    text: 'There is no time zone "Mars/Base". Use an IANA name such as `America/New_York`, or `UTC`.',
    failed: true,
  });
});
