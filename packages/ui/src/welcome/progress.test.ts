import { expect, test } from "bun:test";
import { createFakeAgent, fakeOwner } from "../house/fake-ui.tsx";
import { pickFirstAgent } from "@hearth/client";
import { advance, initialProgress, isLast, type Move, type Progress, readProgress } from "./progress.ts";

const after = (...moves: readonly Move[]): Progress => moves.reduce(advance, initialProgress);

test("there are three steps, and no step before the first or after the last", () => {
  expect(after({ type: "next" }).step).toBe("agent");
  expect(after({ type: "next" }, { type: "next" }, { type: "next" }).step).toBe("model");
  expect(after({ type: "next" }, { type: "back" }, { type: "back" }).step).toBe("you");
  expect([initialProgress.step, after({ type: "next" }, { type: "next" }).step].map(isLast)).toEqual([false, true]);
});

test("typed text stays when moving between steps", () => {
  const progress = after(
    { type: "typed", step: "you", field: "name", text: "Ada" },
    { type: "typed", step: "you", field: "timezone", text: "UTC" },
    { type: "typed", step: "agent", field: "name", text: "Ember" },
    { type: "chosen", model: { source: "key", vendor: "openai" } },
    { type: "next" },
    { type: "back" },
  );
  expect(progress).toEqual({
    step: "you",
    you: { name: "Ada", timezone: "UTC" },
    agent: { name: "Ember" },
    model: { source: "key", vendor: "openai" },
  });
  expect(readProgress(JSON.stringify(progress))).toEqual(progress);
});

test("invalid stored progress is discarded", () => {
  for (const text of [undefined, "", "null", "[]", "{", '{"step":"elsewhere"}'])
    expect(readProgress(text)).toEqual(initialProgress);
  expect(
    readProgress(
      JSON.stringify({ step: "agent", you: 3, agent: { name: 4, prompt: "x" }, model: { key: "sk", source: "key" } }),
    ),
  ).toEqual({ step: "agent", you: {}, agent: { prompt: "x" }, model: { source: "key" } });
});

test("the welcome shows main, otherwise the oldest agent, never a person", () => {
  const old = { ...createFakeAgent(3, "Old"), createdAt: 1 };
  const young = { ...createFakeAgent(4, "Young"), createdAt: 2 };
  const main = { ...createFakeAgent(2, "Main"), createdAt: 3 };
  expect(pickFirstAgent([fakeOwner, young, old, main])).toBe(main);
  expect(pickFirstAgent([fakeOwner, young, old])).toBe(old);
  expect(pickFirstAgent([fakeOwner])).toBeUndefined();
});
