import { expect, test } from "bun:test";
import { integrities, isTainted, joinLabels, Label, MAX_SOURCES, OWN, tellSources } from "./label.ts";

const ROOMS = ["room:room_00000000000000000000000001", "room:room_00000000000000000000000002"] as const;
const labels: readonly Label[] = integrities.flatMap((integrity) =>
  (["anyone", "private", ...ROOMS] as const).map((readers) => ({ integrity, readers, sources: [readers] })),
);
/** But for the sources, whose order tells the order of the joining. */
const strength = ({ integrity, readers }: Label) => ({ integrity, readers });

test("what is made of two is as weak as the weaker and never more public than either, in whatever order they are joined", () => {
  for (const a of labels) {
    expect(strength(joinLabels(a, OWN))).toEqual(strength(a));
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

test("what two rooms may read each, of both together the agent's own people may", () => {
  const [one, other] = ROOMS.map((readers) => ({ ...OWN, readers }));
  expect(joinLabels(one as Label, other as Label).readers).toBe("private");
});

test("every source is named once, and of too many it is said that there are more", () => {
  const many = { ...OWN, sources: Array.from({ length: MAX_SOURCES }, (_, index) => `page ${index}`) };
  expect(joinLabels(many, { ...OWN, sources: ["page 1"] }).sources).toEqual(many.sources);
  expect(joinLabels(many, { ...OWN, sources: ["another"] }).sources.at(-1)).toBe("and more");
});

test("as many sources as fit are all named, and a line for people names three of them", () => {
  const sources = Array.from({ length: MAX_SOURCES }, (_, index) => `page ${index}`);
  const [first = "", ...rest] = sources;
  // Exactly the limit is no overflow; one more is.
  expect(joinLabels({ ...OWN, sources: [first] }, { ...OWN, sources: rest }).sources).toEqual(sources);
  expect(joinLabels({ ...OWN, sources }, { ...OWN, sources: ["one more"] }).sources).toEqual([
    ...sources.slice(0, MAX_SOURCES - 1),
    "and more",
  ]);
  const told = (count: number) => tellSources({ ...OWN, integrity: "untrusted", sources: sources.slice(0, count) });
  expect(told(3)).toBe("Built from untrusted content: page 0, page 1, page 2");
  expect(told(4)).toBe("Built from untrusted content: page 0, page 1, page 2 and 1 more");
});
