import { expect, test } from "bun:test";
import { observe } from "./observe.ts";

test("the failure of observed work is reported as an uncaught error, and its success is not", async () => {
  const reported: unknown[] = [];
  const { reportError } = globalThis;
  globalThis.reportError = (error) => void reported.push(error);
  try {
    const failure = new Error("the work failed");
    observe(Promise.resolve("done"));
    observe(Promise.reject(failure));
    await Promise.resolve();
    await Promise.resolve();
    expect(reported).toEqual([failure]);
  } finally {
    globalThis.reportError = reportError;
  }
});
