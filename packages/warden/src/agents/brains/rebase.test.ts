import { describe, expect, test } from "bun:test";
import { rebaseProposal } from "./rebase.ts";

const SOUL = "# Who\nKind.\nQuiet.\nCurious.\n";
const soul = (after: string, now: string): string | undefined => rebaseProposal("SOUL.md", SOUL, after, now);

const [A, B] = ['[jobs.a]\nprompt = "A"\n', '[jobs.b]\nprompt = "B"\n'];
const jobs = (before: string, after: string, now: string): string | undefined =>
  rebaseProposal("cron/jobs.toml", before, after, now);

describe("what was proposed of an earlier text", () => {
  test("is made on top of a later one where its lines are as they were", () => {
    expect(soul(SOUL.replace("Kind.", "Very kind."), SOUL.replace("Curious.", "Bored."))).toBe(
      "# Who\nVery kind.\nQuiet.\nBored.\n",
    );
    expect(soul(SOUL.replace("Quiet.\n", ""), `${SOUL}Tea.\n`)).toBe("# Who\nKind.\nCurious.\nTea.\n");
    expect(soul(`Hello.\n${SOUL}`, `${SOUL}Tea.\n`)).toBe(`Hello.\n${SOUL}Tea.\n`);
  });

  test("is made once where it is there already", () => {
    expect(soul(`${SOUL}Tea.\n`, `${SOUL}Tea.\n`)).toBe(`${SOUL}Tea.\n`);
    expect(soul(`${SOUL}Tea.\n`, `${SOUL.replace("Kind.", "Sharp.")}Tea.\n`)).toBe(
      "# Who\nSharp.\nQuiet.\nCurious.\nTea.\n",
    );
  });

  test("does not fit where one of its lines is another one by now, or has gone", () => {
    expect(soul(SOUL.replace("Kind.", "Very kind."), SOUL.replace("Kind.", "Sharp."))).toBeUndefined();
    expect(soul(SOUL.replace("Kind.\n", ""), SOUL.replace("Kind.\nQuiet.\n", ""))).toBeUndefined();
    expect(soul(SOUL.replace("Quiet.", "Quiet.\nTea."), "# Who\nKind.\n")).toBeUndefined();
    expect(soul("", `${SOUL}Tea.\n`)).toBeUndefined();
  });

  test("comes after what was put at the same place, also where the text had no end of line", () => {
    expect(soul(`${SOUL}Tea.\n`, `${SOUL}Rain.\n`)).toBe(`${SOUL}Rain.\nTea.\n`);
    expect(rebaseProposal("SOUL.md", "Kind.", "Kind.\nTea.\n", "Kind.\nRain.")).toBe("Kind.\nRain.\nTea.\n");
    expect(rebaseProposal("SOUL.md", "", "Tea.\n", "Rain.\n")).toBe("Rain.\nTea.\n");
  });

  test("stays in the section that it was written for", () => {
    const [paused, more] = [`${A}paused = true\n`, `${A}\n${B}`];
    expect(jobs(A, paused, more)).toBe(`${A}paused = true\n\n${B}`);
    expect(jobs(A, more, paused)).toBe(`${A}paused = true\n\n${B}`);
    expect(jobs(A, `${A}\n# Daily.\n${B}`, paused)).toBe(`${A}paused = true\n\n# Daily.\n${B}`);
    expect(soul(`${SOUL}Tea.\n`, `${SOUL}\n# Limits\nNone.\n`)).toBe(`${SOUL}Tea.\n\n# Limits\nNone.\n`);
    // Of two that each go on with the table and begin another one, one would end in the other's.
    expect(jobs(A, `${A}x = 1\n\n${B}`, `${A}y = 2\n\n[jobs.c]\nprompt = "C"\n`)).toBeUndefined();
    // Its table is gone, or is to go: the line would be that of the table before it.
    expect(jobs(`${A}\n${B}`, `${A}\n${B}paused = true\n`, A)).toBeUndefined();
    expect(jobs(`${A}\n${B}`, A, `${A}\n${B}paused = true\n`)).toBeUndefined();
  });

  test("is no second table of one name", () => {
    expect(jobs(A, `${A}\n${B}`, `${A}\n${B}`)).toBe(`${A}\n${B}`);
    expect(jobs(A, `${A}\n${B}`, `${A}\n${B.replace('"B"', '"Other"')}`)).toBeUndefined();
  });
});
