import type { ModelMessage } from "@hearth/protocol";
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { shrink } from "./shrink.ts";

const user = (text: string): ModelMessage => ({ role: "user", text });
const says = (text: string): ModelMessage => ({ role: "assistant", text, toolCalls: [] });
const calls = (...ids: string[]): ModelMessage[] => [
  { role: "assistant", text: "", toolCalls: ids.map((id) => ({ id, name: "read", input: {} })) },
  ...ids.map((call): ModelMessage => ({ role: "tool", call, name: "read", text: "x".repeat(50), failed: false })),
];

describe("shrinking a conversation that is too long", () => {
  test("drops the oldest exchanges until half of the text is left", () => {
    const messages = Array.from({ length: 10 }, (_, index) => [user(`q${index}`), says("answer")]).flat();
    expect(shrink(messages)).toEqual(messages.slice(10));
  });

  test("drops all but the last exchange if that alone is most of the text", () => {
    const messages = [user("one"), says("two"), user("three"), says("four"), user("x".repeat(100))];
    expect(shrink(messages)).toEqual(messages.slice(4));
  });

  test("keeps every call of this activation, however long its results are", () => {
    const messages = [user("old"), says("done"), user("do it"), ...calls("a", "b"), ...calls("c")];
    expect(shrink(messages)).toEqual(messages.slice(2));
    expect(shrink(messages.slice(2))).toBeUndefined();
  });

  test("keeps calls made before a message that arrived in between", () => {
    const messages = [user("do it"), ...calls("a"), user("and this")];
    expect(shrink(messages)).toBeUndefined();
  });

  test("changes nothing if there is only one message, or no user message", () => {
    for (const messages of [[], [user("x".repeat(1000))], [says("good morning")], calls("a")])
      expect(shrink(messages)).toBeUndefined();
  });
});

const exchange = fc
  .record({
    asked: fc.array(fc.string({ maxLength: 30 }), { minLength: 1, maxLength: 3 }),
    answered: fc.array(fc.string({ maxLength: 60 }), { maxLength: 2 }),
  })
  .map(({ asked, answered }) => [...asked.map(user), ...answered.map(says)]);

/** Builds a room's history, then an activation's calls and the messages it takes in. */
const conversation = fc
  .record({
    past: fc.array(exchange, { maxLength: 8 }),
    question: fc.string(),
    rounds: fc.array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.option(fc.string(), { nil: undefined })), {
      maxLength: 3,
    }),
  })
  .map(({ past, question, rounds }) => [
    ...past.flat(),
    user(question),
    ...rounds.flatMap(([count, taken], round) => [
      ...calls(...Array.from({ length: count }, (_, index) => `call_${round}_${index}`)),
      ...(taken === undefined ? [] : [user(taken)]),
    ]),
  ]);

describe("for any conversation, the result", () => {
  const holds = (what: (left: readonly ModelMessage[], whole: readonly ModelMessage[]) => void): void =>
    fc.assert(
      fc.property(conversation, (whole) => {
        const left = shrink(whole);
        if (left !== undefined) what(left, whole);
      }),
    );

  test("is a shorter suffix that begins with a user message", () => {
    holds((left, whole) => {
      expect(left.length).toBeLessThan(whole.length);
      expect(left).toEqual(whole.slice(-left.length));
      expect(left[0]?.role).toBe("user");
    });
  });

  test("holds the last user message and every call with its results", () => {
    holds((left, whole) => {
      expect(left.findLast(({ role }) => role === "user")).toBe(
        whole.findLast(({ role }) => role === "user") as ModelMessage,
      );
      const withCalls = ({ role, ...rest }: ModelMessage): boolean =>
        role === "tool" || ("toolCalls" in rest && rest.toolCalls.length > 0);
      expect(left.filter(withCalls)).toEqual(whole.filter(withCalls));
    });
  });

  test("gets shorter each time, until nothing more can be dropped", () => {
    fc.assert(
      fc.property(conversation, (whole) => {
        let left: readonly ModelMessage[] | undefined = whole;
        let tries = 0;
        while (left !== undefined) {
          left = shrink(left);
          tries += 1;
        }
        expect(tries).toBeLessThanOrEqual(whole.length + 1);
      }),
    );
  });

  test("gets shorter also if no message has a text", () => {
    expect(shrink([user(""), user("")])).toEqual([user("")]);
  });

  test("gets shorter whenever the room's history is longer than the question", () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1 }), fc.string(), (past, question) => {
        expect(shrink([...past.flat(), user(question)])).toBeDefined();
      }),
    );
  });
});
