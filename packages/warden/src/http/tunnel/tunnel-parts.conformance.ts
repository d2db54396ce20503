/** The contract of `TunnelParts.run`, for the fake and for real programs. */
import { describe, expect, test } from "bun:test";
import type { TunnelParts } from "./programs.ts";

export interface ProgramScene {
  readonly run: TunnelParts["run"];
  /** A command that prints two lines, one of them to its error output, and ends with code 3. */
  readonly talkingCommand: readonly string[];
  /** A command that runs until it is ended. */
  readonly endlessCommand: readonly string[];
  /** Plays the commands of a fake. Real programs need no help. */
  readonly play?: () => void;
}

export const tunnelProgramsConformance = (name: string, open: () => ProgramScene): void => {
  describe(`programs of tunnels: ${name}`, () => {
    test("each line of a program arrives, and its end with its code", async () => {
      const { run, talkingCommand, play } = open();
      const lines: string[] = [];
      const end = run(talkingCommand, (line) => lines.push(line), new AbortController().signal);
      play?.();
      expect(await end).toEqual({ code: 3 });
      expect(lines.toSorted()).toEqual(["one", "two"]);
    });

    test("an abort ends a program that would run for ever", async () => {
      const { run, endlessCommand } = open();
      const controller = new AbortController();
      const end = run(endlessCommand, () => {}, controller.signal);
      controller.abort();
      await end;
    });

    test("an abort before the start starts nothing", async () => {
      const { run, talkingCommand } = open();
      const lines: string[] = [];
      await run(talkingCommand, (line) => lines.push(line), AbortSignal.abort());
      expect(lines).toEqual([]);
    });

    test("a program that is not installed is named", async () => {
      const { run } = open();
      expect(run(["no-such-program"], () => {}, new AbortController().signal)).rejects.toThrow(
        "no-such-program is not installed.",
      );
    });
  });
};
