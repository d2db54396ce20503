/** The contract of a sink as tests. */
import { describe, expect, test } from "bun:test";
import type { Sink } from "./sink.ts";

export interface SinkHarness {
  readonly sink: Sink;
  /** Returns the lines written so far. The list is empty for a sink that drops them. */
  lines(): readonly string[];
  /** Makes everything below the sink fail. */
  breakDown(): void;
}

export const sinkConformance = (
  name: string,
  open: () => SinkHarness,
  { keeps }: { readonly keeps: "lines" | "nothing" },
): void => {
  describe(`the sink ${name}`, () => {
    const expectedLines = (lines: readonly string[]): readonly string[] => (keeps === "lines" ? lines : []);

    test("writes lines in order, whatever they contain", () => {
      const { sink, lines } = open();
      const writtenLines = ["one", "", '{"text":"zwei 🌍"}', "x".repeat(100_000)];
      for (const line of writtenLines) sink.write(line);
      expect(lines()).toEqual(expectedLines(writtenLines));
    });

    test("throws nothing when everything below it fails", () => {
      const { sink, lines, breakDown } = open();
      sink.write("before");
      breakDown();
      expect(() => sink.write("after")).not.toThrow();
      expect(lines()).toEqual(expectedLines(["before"]));
    });
  });
};
