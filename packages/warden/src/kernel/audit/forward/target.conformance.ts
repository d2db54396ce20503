/** The contract of a target for audit rows as tests. */
import { describe, expect, test } from "bun:test";
import type { AuditTarget } from "./target.ts";

export interface AuditTargetHarness extends AsyncDisposable {
  readonly target: AuditTarget;
  /** Returns the JSON of every line that arrived, in order. */
  receivedLines(): Promise<readonly string[]>;
  /** Makes the target refuse lines, or accept them again. */
  breakDown(isBroken: boolean): Promise<void>;
}

const lineOf = (offset: number, body = "{}"): string =>
  `${JSON.stringify({ kind: "row", stream: "audit:house_1", offset, id: `evt_${offset}`, type: "step", at: 1_700_000_000_000, body })}\n`;

export const auditTargetConformance = (name: string, open: () => Promise<AuditTargetHarness>): void => {
  describe(`the audit target ${name}`, () => {
    const { signal } = new AbortController();
    const bare = (line: string): string => line.trimEnd();

    test("has the lines of every call, in order, once the call resolves", async () => {
      await using harness = await open();
      const sent = [
        [lineOf(1), lineOf(2, "é \u{1f600}")],
        [lineOf(3)],
        Array.from({ length: 200 }, (_, n) => lineOf(4 + n)),
      ];
      for (const lines of sent) {
        await harness.target.send(lines, signal);
        expect((await harness.receivedLines()).at(-1)).toBe(bare(lines.at(-1) ?? ""));
      }
      expect(await harness.receivedLines()).toEqual(sent.flat().map(bare));
    });

    test("rejects when the target does not take the lines, and takes them afterwards", async () => {
      await using harness = await open();
      await harness.target.send([lineOf(1)], signal);
      await harness.breakDown(true);
      await expect(harness.target.send([lineOf(2)], signal)).rejects.toThrow();
      await harness.breakDown(false);
      await harness.target.send([lineOf(2)], signal);
      expect(await harness.receivedLines()).toEqual([lineOf(1), lineOf(2)].map(bare));
    });
  });
};
