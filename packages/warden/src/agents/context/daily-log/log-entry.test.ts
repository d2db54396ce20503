import { expect, test } from "bun:test";
import type { ActivationId } from "@hearth/protocol";
import { activationOf, answeredIn, logEntry } from "./log-entry.ts";
import { skillLine } from "../skills.ts";

const activation = "act_00000000000000000000000001" as ActivationId;

test("a turn becomes one line, whatever its text contains", () => {
  const turn = { activation, time: "14:05", who: "Ana\nBo", answer: "done\n- this\r\n# now\u2028twice" };
  expect(logEntry({ ...turn, tools: ["write", "shell", "write"] })).toBe(
    `- 14:05 Ana Bo → “done - this # now twice”, write 2×, shell (${activation})`,
  );
});

test("the activation of an entry is found if the entry holds only an answer", () => {
  const turn = { activation, time: "14:05", who: "Ana", answer: "it said “(act_1)”" };
  expect(answeredIn(logEntry({ ...turn, tools: [] }))).toBe(activation);
  expect(answeredIn(logEntry({ ...turn, tools: ["write"] }))).toBeUndefined();
  expect(activationOf(logEntry({ ...turn, tools: [] }))).toBe(activation);
  for (const line of ["", "- a note", `(${activation})`, `- 14:05 Ana → write (${activation})`])
    expect(answeredIn(line)).toBeUndefined();
});

test("a long text is cut at its end, never within a surrogate pair", () => {
  const line = logEntry({
    activation,
    time: "14:05",
    who: "Ana",
    answer: `${"a".repeat(159)}😀 and more`,
    tools: ["write"],
  });
  expect(line).toContain("…”, write (");
  expect(line.isWellFormed()).toBe(true);
  expect(line.length).toBeLessThan(260);
});

test("a skill's line holds its folder's name and the description from its head", () => {
  expect(skillLine("cook", "---\nname: c\ndescription: 'Cooks: soup'\n---\nBoil.")).toBe("- cook: Cooks: soup");
  expect(skillLine("cook", "\uFEFF---\r\ndescription: |-\r\n  Cooks\r\n  soup\r\nlicense: x\r\n---\r\n")).toBe(
    "- cook: Cooks soup",
  );
  expect(skillLine("cook", "description: not in a head")).toBe("- cook");
});
