import { expect, test } from "bun:test";
import { noUsage } from "@hearth/protocol";
import { describeUsage } from "./turn-story.ts";

test("reported tokens are shown, and missing reports are not shown as zero", () => {
  const some = { ...noUsage, inputTokens: 200, cacheReadTokens: 1000, outputTokens: 50 };
  expect(describeUsage(some)).toBe("1200 in (1000 cached), 50 out");
  expect(describeUsage({ ...some, estimated: true })).toBe("1200 in (1000 cached), 50 out (estimated)");
  expect(describeUsage({ ...noUsage, estimated: true })).toBe("not reported");
  expect(describeUsage(noUsage)).toBe("0 in, 0 out");
});
