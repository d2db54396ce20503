import { expect, test } from "bun:test";
import { integrities, isTainted, joinLabels, Label, MAX_SOURCES, OWNER_LABEL, describeSources } from "./label.ts";

const ROOMS = ["room:room_00000000000000000000000001", "room:room_00000000000000000000000002"] as const;
const labels: readonly Label[] = integrities.flatMap((integrity) =>
  (["anyone", "private", ...ROOMS] as const).map((readers) => ({ integrity, readers, sources: [readers] })),
);
/** Without the sources, whose order depends on the order of joining. */
const strength = ({ integrity, readers }: Label) => ({ integrity, readers });

test("a joined label has the weaker integrity and the narrower readers of its parts, in any order", () => {
  for (const a of labels) {
    expect(strength(joinLabels(a, OWNER_LABEL))).toEqual(strength(a));
    for (const b of labels) {
      const joined = joinLabels(a, b);
      expect(Label.safeParse(joined).success).toBe(true);
      expect(isTainted(joined)).toBe(isTainted(a) || isTainted(b));
      expect(joined.readers === "anyone").toBe(a.readers === "anyone" && b.readers === "anyone");
      expect(strength(joinLabels(b, a))).toEqual(strength(joined));
      for (const c of labels)
        expect(strength(joinLabels(joined, c))).toEqual(strength(joinLabels(a, joinLabels(b, c))));
    }
  }
});

test("a label joined from two rooms is private", () => {
  const [first, second] = ROOMS.map((readers) => ({ ...OWNER_LABEL, readers }));
  expect(joinLabels(first as Label, second as Label).readers).toBe("private");
});

test("sources are listed once, and excess sources become `and more`", () => {
  const many = { ...OWNER_LABEL, sources: Array.from({ length: MAX_SOURCES }, (_, index) => `page ${index}`) };
  expect(joinLabels(many, { ...OWNER_LABEL, sources: ["page 1"] }).sources).toEqual(many.sources);
  expect(joinLabels(many, { ...OWNER_LABEL, sources: ["another"] }).sources.at(-1)).toBe("and more");
});

test("up to the limit all sources are listed, and `describeSources` names three of them", () => {
  const sources = Array.from({ length: MAX_SOURCES }, (_, index) => `page ${index}`);
  const [first = "", ...rest] = sources;
  // A label may have exactly the maximum number of sources. One more source is dropped.
  expect(joinLabels({ ...OWNER_LABEL, sources: [first] }, { ...OWNER_LABEL, sources: rest }).sources).toEqual(sources);
  expect(joinLabels({ ...OWNER_LABEL, sources }, { ...OWNER_LABEL, sources: ["one more"] }).sources).toEqual([
    ...sources.slice(0, MAX_SOURCES - 1),
    "and more",
  ]);
  const line = (count: number) =>
    describeSources({ ...OWNER_LABEL, integrity: "untrusted", sources: sources.slice(0, count) });
  expect(line(3)).toBe("Built from untrusted content: page 0, page 1, page 2");
  expect(line(4)).toBe("Built from untrusted content: page 0, page 1, page 2 and 1 more");
});
