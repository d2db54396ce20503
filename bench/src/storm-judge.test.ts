import { expect, test } from "bun:test";
import type { Fate } from "@hearth/protocol";
import { judge, type Shown } from "./storm-judge.ts";
import { orderText, readWishes } from "./storm-model.ts";

const answered = { kind: "answered", by: "agent_1", activation: "act_1", delivery: "none" } as unknown as Fate;
const failed = { kind: "failed", by: "agent_1", activation: "act_1", reason: "died" } as unknown as Fate;
const message = (id: string, text = id): Shown => ({ id, text, isReply: false, causes: [] });
const reply = (...causes: string[]): Shown => ({ id: `r${causes.join()}`, text: "Done", isReply: true, causes });
const one = { mark: 1, event: "e1" };

test("a storm that lost and doubled nothing is all zeros", () => {
  const verdict = judge({
    acknowledged: [one],
    shown: [message("e1"), reply("e1")],
    fates: new Map([["e1", answered]]),
    effects: [{ mark: 1, lines: 1 }],
  });
  expect(verdict).toEqual({
    ...{
      acknowledged: 1,
      lost: 0,
      doubled: 0,
      unanswered: 0,
      answered: 1,
      failed: {},
      effects: 1,
      effectsDoubled: 0,
      doubledMarks: [],
    },
  });
});

test("an acknowledged message that its room does not have is lost", () => {
  expect(judge({ acknowledged: [one], shown: [], fates: new Map(), effects: [] })).toMatchObject({ lost: 1 });
});

test("a message that is stored twice, or has two replies, is doubled", () => {
  const shown = [message("e1", "storm-1"), message("e2", "storm-1"), reply("e1"), reply("e1", "e2")];
  expect(judge({ acknowledged: [], shown, fates: new Map(), effects: [] }).doubled).toBe(2);
});

test("a message without an end is unanswered, and a failed one is counted by its reason", () => {
  const shown = [message("e1"), message("e2")];
  const fates = new Map([["e2", failed]]);
  expect(judge({ acknowledged: [one, { mark: 2, event: "e2" }], shown, fates, effects: [] })).toMatchObject({
    unanswered: 1,
    failed: { "failed: died": 1 },
  });
});

test("a call that ran twice is doubled, and so is a second call for a message that did not fail", () => {
  const given = { acknowledged: [one], shown: [message("e1")] };
  const twice = [{ mark: 1, lines: 2 }];
  const again = [
    { mark: 1, lines: 1 },
    { mark: 1, lines: 1 },
  ];
  expect(judge({ ...given, fates: new Map([["e1", answered]]), effects: twice })).toMatchObject({
    effectsDoubled: 1,
    doubledMarks: [1],
  });
  expect(judge({ ...given, fates: new Map([["e1", answered]]), effects: again }).effectsDoubled).toBe(1);
  expect(judge({ ...given, fates: new Map([["e1", failed]]), effects: again }).effectsDoubled).toBe(0);
});

test("the model of the storm makes each call once, and none for messages that it has answered", () => {
  const user = (mark: number) => ({ role: "user", content: orderText(mark, "shell") });
  expect(readWishes([user(1), { role: "user", content: "At noon\nstorm-2 shell" }]).left).toHaveLength(2);
  const called = { role: "assistant", content: null, tool_calls: [{ id: "call-1" }] };
  expect(readWishes([user(1), called, user(2)]).left.map(({ mark }) => mark)).toEqual([2]);
  expect(readWishes([user(1), { role: "assistant", content: "Done." }, user(2)]).all.map(({ mark }) => mark)).toEqual([
    2,
  ]);
});
