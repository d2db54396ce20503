import { expect, test } from "bun:test";
import fc from "fast-check";
import { createTimeline } from "./timeline.ts";

test("due keys are returned earliest first, each once, whatever was set, moved and removed", () => {
  const change = fc.record({ key: fc.nat(40), at: fc.option(fc.nat(1000), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200 }), fc.nat(1000), (changes, now) => {
      const timeline = createTimeline();
      const model = new Map<string, number>();
      const earliest = (): number | undefined => [...model.values()].toSorted((a, b) => a - b)[0];
      for (const { key, at } of changes) {
        timeline.set(`${key}`, at);
        if (at === undefined) model.delete(`${key}`);
        else model.set(`${key}`, at);
        expect(timeline.size()).toBe(model.size);
      }
      expect(timeline.next()).toBe(earliest());
      const due = timeline.take(now);
      const instants = due.map((key) => model.get(key) ?? Infinity);
      expect(instants).toEqual(instants.toSorted((a, b) => a - b));
      expect(due.toSorted()).toEqual([...model].flatMap(([key, at]) => (at <= now ? [key] : [])).toSorted());
      for (const key of due) model.delete(key);
      expect(timeline.next()).toBe(earliest());
    }),
  );
});
