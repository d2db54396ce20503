import { describe, expect, test } from "bun:test";
import { rebaseProposal } from "./rebase.ts";

const SOUL = "# Who\nKind.\nQuiet.\nCurious.\n";
const soul = (after: string, now: string): string | undefined => rebaseProposal("SOUL.md", SOUL, after, now);

const [A, B] = ['[jobs.a]\nprompt = "A"\n', '[jobs.b]\nprompt = "B"\n'];
const jobs = (before: string, after: string, now: string): string | undefined =>
  rebaseProposal("cron/jobs.toml", before, after, now);

describe("a proposal against an earlier text", () => {
  test("applies to a later text if its lines are unchanged", () => {
    expect(soul(SOUL.replace("Kind.", "Very kind."), SOUL.replace("Curious.", "Bored."))).toBe(
      "# Who\nVery kind.\nQuiet.\nBored.\n",
    );
    expect(soul(SOUL.replace("Quiet.\n", ""), `${SOUL}Tea.\n`)).toBe("# Who\nKind.\nCurious.\nTea.\n");
    expect(soul(`Hello.\n${SOUL}`, `${SOUL}Tea.\n`)).toBe(`Hello.\n${SOUL}Tea.\n`);
  });

  test("applies once if the later text already has it", () => {
    expect(soul(`${SOUL}Tea.\n`, `${SOUL}Tea.\n`)).toBe(`${SOUL}Tea.\n`);
    expect(soul(`${SOUL}Tea.\n`, `${SOUL.replace("Kind.", "Sharp.")}Tea.\n`)).toBe(
      "# Who\nSharp.\nQuiet.\nCurious.\nTea.\n",
    );
  });

  test("does not apply if one of its lines was changed or removed", () => {
    expect(soul(SOUL.replace("Kind.", "Very kind."), SOUL.replace("Kind.", "Sharp."))).toBeUndefined();
    expect(soul(SOUL.replace("Kind.\n", ""), SOUL.replace("Kind.\nQuiet.\n", ""))).toBeUndefined();
    expect(soul(SOUL.replace("Quiet.", "Quiet.\nTea."), "# Who\nKind.\n")).toBeUndefined();
    expect(soul("", `${SOUL}Tea.\n`)).toBeUndefined();
  });

  test("comes after text inserted at the same place, also without a final line ending", () => {
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
    // Both edits continue a table and begin another one; one would end in the other's table.
    expect(jobs(A, `${A}x = 1\n\n${B}`, `${A}y = 2\n\n[jobs.c]\nprompt = "C"\n`)).toBeUndefined();
    // Its table is removed, so the line would join the table before it.
    expect(jobs(`${A}\n${B}`, `${A}\n${B}paused = true\n`, A)).toBeUndefined();
    expect(jobs(`${A}\n${B}`, A, `${A}\n${B}paused = true\n`)).toBeUndefined();
  });

  test("does not add a second table of the same name", () => {
    expect(jobs(A, `${A}\n${B}`, `${A}\n${B}`)).toBe(`${A}\n${B}`);
    expect(jobs(A, `${A}\n${B}`, `${A}\n${B.replace('"B"', '"Other"')}`)).toBeUndefined();
  });
});
