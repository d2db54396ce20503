import { expect, test } from "bun:test";
import { checkProducer } from "./producers.ts";

const last = { epoch: 3, seq: 7 };
const next = (epoch: number, seq: number) => ({ id: "p", epoch, seq });

test.each([
  [undefined, next(0, 0), { kind: "new" }],
  [undefined, next(5, 0), { kind: "new" }],
  [undefined, next(0, 1), { kind: "gap", expected: 0, received: 1 }],
  [last, next(2, 8), { kind: "fenced", epoch: 3 }],
  [last, next(2, 0), { kind: "fenced", epoch: 3 }],
  [last, next(3, 6), { kind: "duplicate", seq: 7 }],
  [last, next(3, 7), { kind: "duplicate", seq: 7 }],
  [last, next(3, 8), { kind: "new" }],
  [last, next(3, 9), { kind: "gap", expected: 8, received: 9 }],
  [last, next(4, 0), { kind: "new" }],
  [last, next(4, 1), { kind: "late-start" }],
  [last, next(4, 8), { kind: "late-start" }],
] as const)("after %j, an append %j is %j", (before, append, judged) => {
  expect(checkProducer(before, append)).toEqual(judged);
});
