import { expect, test } from "bun:test";
import type { DeltaEvent } from "@hearth/protocol";
import { createPartialText } from "./partial-text.ts";

const round: DeltaEvent = { type: "round-start", at: 1, round: 1 };
const restart: DeltaEvent = { type: "restart", at: 1 };
const says = (text: string): DeltaEvent => ({ type: "text-delta", at: 1, text });

test.each<[name: string, events: readonly DeltaEvent[], text: string]>([
  ["nothing was written", [round], ""],
  ["one round is being written", [round, says("On "), says("and on ")], "On and on"],
  ["a later round is being written", [round, says("Let me look."), round, says("It sat")], "It sat"],
  ["a later round has no text yet", [round, says("Let me look."), round], "Let me look."],
  ["the turn began again in another cell", [round, says("lost"), restart, round, says("again")], "again"],
  ["nothing came after a restart", [round, says("lost"), restart, round], ""],
])("the partial text when %s is that of the newest round with text", (_name, events, text) => {
  const partial = createPartialText();
  for (const event of events) partial.add(event);
  expect(partial.text()).toBe(text);
});
