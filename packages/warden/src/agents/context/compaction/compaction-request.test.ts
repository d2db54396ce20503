import { describe, expect, test } from "bun:test";
import type { AgentRecord, ToolCall } from "@hearth/protocol";
import { readNotes, readSummary, toNotesRequest, toSummaryRequest } from "./compaction-request.ts";

const call = (text: unknown, more: Partial<ToolCall> = {}): ToolCall => ({
  id: "call",
  name: "remember",
  input: { text } as ToolCall["input"],
  ...more,
});

describe("the facts of an answer", () => {
  test.each([
    ["are one line each, in the order of the calls", [call(" Tea\n at  noon "), call("Oslo")], ["Tea at noon", "Oslo"]],
    ["leave out repetitions and empty texts", [call("Oslo"), call(" "), call("Oslo"), call("")], ["Oslo"]],
    ["leave out other tools", [call("Oslo", { name: "shell" }), call("Rome")], ["Rome"]],
    ["leave out calls that could not be read", [call("Oslo", { unreadable: "{" }), call("Rome")], ["Rome"]],
    ["leave out texts that are not text", [call(3), call(undefined), call("Rome")], ["Rome"]],
    ["have no half characters", [call("a\ud800b")], ["a\ufffdb"]],
  ])("%s", (_title, calls, notes) => {
    expect(readNotes(calls)).toEqual(notes);
  });

  test("have at most 2,000 characters each and 12,000 together", () => {
    const long = (letter: string): ToolCall => call(letter.repeat(2500));
    const letters = ["a", "b", "c", "d", "e", "f", "g"];
    const notes = readNotes(letters.map(long));
    expect(notes).toEqual(letters.slice(0, 6).map((letter) => letter.repeat(2000)));
    expect(readNotes([...letters.slice(0, 6).map(long), call("short")])).toHaveLength(6);
  });

  test("do not end in half of a character", () => {
    expect(readNotes([call(`${"a".repeat(1999)}😀`)])).toEqual([`${"a".repeat(1999)}\ufffd`]);
  });
});

describe("the summary of an answer", () => {
  test("is trimmed, and absent if the model wrote nothing", () => {
    expect(readSummary(" They agreed.\n", 8000)).toBe("They agreed.");
    expect(readSummary(" \n", 8000)).toBeUndefined();
  });

  test.each([
    [8000, 4000],
    [100, 400],
    [1_000_000, 16_000],
  ])("for a model of %d tokens has at most %d characters", (limit, most) => {
    expect(readSummary("a".repeat(most), limit)).toBe("a".repeat(most));
    expect(readSummary("a".repeat(most + 1), limit)).toBe(`${"a".repeat(most)}\n[cut: the summary was too long]`);
  });
});

test("only the request for facts offers a tool, and both end with the instruction of the house", () => {
  const conversation = {
    model: "test/model",
    agent: { handle: "main", content: { name: "Main", kind: "bot" } } as AgentRecord,
    transcript: [{ role: "user", text: "Hello", note: "Robin" }],
  } as const;
  const [notes, summary] = [toNotesRequest(conversation), toSummaryRequest(conversation)];
  expect([notes.tools.map(({ name }) => name), notes.toolUse]).toEqual([["remember"], "allowed"]);
  expect([summary.tools, summary.toolUse]).toEqual([[], "forbidden"]);
  for (const { messages, maxOutputTokens } of [notes, summary]) {
    expect(messages).toHaveLength(2);
    expect(messages[0]).toEqual(conversation.transcript[0]);
    expect(messages[1]).toMatchObject({ role: "user", note: "the house, about all of that" });
    expect(maxOutputTokens).toBe(4096);
  }
  expect(JSON.stringify(summary.messages[1])).toContain("at most 400 words");
});
