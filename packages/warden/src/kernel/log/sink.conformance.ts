/** The contract of a sink as tests. */
import { describe, expect, test } from "bun:test";
import type { Sink } from "./sink.ts";

export interface SinkHarness {
  readonly sink: Sink;
  /** What it has kept so far; nothing where it keeps nothing. */
  lines(): readonly string[];
  /** From here on whatever is below it refuses everything. */
  breakDown(): void;
}

export const sinkConformance = (
  name: string,
  open: () => SinkHarness,
  { keeps }: { readonly keeps: "lines" | "nothing" },
): void => {
  describe(`the sink ${name}`, () => {
    const kept = (lines: readonly string[]): readonly string[] => (keeps === "lines" ? lines : []);

    test("takes lines in their order, whatever they hold", () => {
      const { sink, lines } = open();
      const said = ["one", "", '{"text":"zwei 🌍"}', "x".repeat(100_000)];
      for (const line of said) sink.write(line);
      expect(lines()).toEqual(kept(said));
    });

    test("throws nothing when nothing below it works", () => {
      const { sink, lines, breakDown } = open();
      sink.write("before");
      breakDown();
      expect(() => sink.write("after")).not.toThrow();
      expect(lines()).toEqual(kept(["before"]));
    });
  });
};
