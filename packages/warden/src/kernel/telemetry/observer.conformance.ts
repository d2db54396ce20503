/** The contract of an observer as tests. */
import { describe, expect, test } from "bun:test";
import type { Observer, Span, SpanFacts, SpanKind } from "./observer.ts";

export interface ObserverHarness {
  readonly observer: Observer;
  /** Returns the number of spans that were passed on so far. */
  handedOn(): number | Promise<number>;
  /** Makes everything below the observer fail. */
  breakDown(): void;
}

export const createFakeSpan = (kind: SpanKind = "turn", facts: SpanFacts = { outcome: "reply" }): Span => ({
  kind,
  trace: "0af7651916cd43dd8448eb211c80319c",
  id: "b7ad6b7169203331",
  ...(kind === "turn" ? {} : { parent: "00f067aa0ba902b7" }),
  startMs: 1_700_000_000_500,
  durationMs: 1250,
  facts,
});

export const observerConformance = (name: string, open: () => ObserverHarness): void => {
  describe(`the observer ${name}`, () => {
    test("hands on every span that it took before it was closed, and none after", async () => {
      const { observer, handedOn } = open();
      observer.record(createFakeSpan());
      observer.record(createFakeSpan("model", { model: 'a"b\\c\n', provider: "openai", inputTokens: 3 }));
      observer.record(createFakeSpan("tool", { tool: "list", place: "cell", error: "tool" }));
      observer.record(createFakeSpan("cell", {}));
      await observer.close();
      expect(await handedOn()).toBe(4);
      observer.record(createFakeSpan());
      await observer.close();
      expect(await handedOn()).toBe(4);
    });

    test("throws nothing and closes when everything below it fails", async () => {
      const { observer, breakDown } = open();
      breakDown();
      expect(() => observer.record(createFakeSpan())).not.toThrow();
      expect(() => observer.expose?.()).not.toThrow();
      await observer.close();
    });
  });
};
