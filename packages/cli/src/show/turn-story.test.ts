import { expect, test } from "bun:test";
import { noUsage } from "@hearth/protocol";
import { tellUsage } from "./turn-story.ts";

test("reported tokens are shown, and missing reports are not shown as zero", () => {
  const some = { ...noUsage, inputTokens: 200, cacheReadTokens: 1000, outputTokens: 50 };
  expect(tellUsage(some)).toBe("1200 in (1000 cached), 50 out");
  expect(tellUsage({ ...some, estimated: true })).toBe("1200 in (1000 cached), 50 out (estimated)");
  expect(tellUsage({ ...noUsage, estimated: true })).toBe("not reported");
  expect(tellUsage(noUsage)).toBe("0 in, 0 out");
});
