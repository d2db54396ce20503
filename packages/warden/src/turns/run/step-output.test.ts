/** Outputs of steps of every released version are read in the present shape. */
import { expect, test } from "bun:test";
import { isHearthError } from "@hearth/protocol";
import { readIntakeStep, readModelStep, readToolStep, writeToolStep } from "./step-output.ts";

test("a tool's output of version 1 without a picture is read unchanged", () => {
  expect(readToolStep('{"text":"done","failed":false}')).toEqual({ text: "done", failed: false });
});

test("a tool's output of version 1 loses the bytes of its picture, and says so to the model", () => {
  const image = { type: "image/png", data: "AAAA" };
  expect(readToolStep(JSON.stringify({ text: "a chart", failed: false, image }))).toEqual({
    text: "a chart\n[the picture was not kept]",
    failed: false,
  });
});

test("a tool's output that this Hearth writes is stamped and read unchanged", () => {
  const output = { text: "done", failed: true, toolCalls: 2 };
  expect(JSON.parse(writeToolStep(output))).toEqual({ ...output, v: 2 });
  expect(readToolStep(writeToolStep(output))).toEqual(output);
});

test("outputs of models and intakes have their first shape", () => {
  const message = { role: "assistant" as const, text: "hi", toolCalls: [] };
  expect(readModelStep(JSON.stringify({ message }))).toEqual({ message });
  const intake = { messages: [{ role: "user", text: "hi" } as const], events: [] };
  expect(readIntakeStep(JSON.stringify(intake))).toEqual(intake);
});

test.each([
  ["a model", readModelStep, 2],
  ["an intake", readIntakeStep, 2],
  ["a tool", readToolStep, 3],
] as const)("the output of %s of a newer Hearth is refused", (_name, read, v) => {
  try {
    read(JSON.stringify({ v }));
    expect.unreachable();
  } catch (error) {
    expect(isHearthError(error, "store.foreign")).toBe(true);
  }
});
