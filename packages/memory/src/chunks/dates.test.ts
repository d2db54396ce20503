import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findDay, readTime } from "./dates.ts";
import { addDays, parseDay, spellDay, toDay, dayNumber, weekdayOf } from "./days.ts";

/** Wednesday, 15 May 2024. */
const today = parseDay("2024-05-15");

describe("a day in a heading or a name", () => {
  test.each([
    ["2024-02-29.md", "2024-02-29"],
    ["1:56 pm on 8 May, 2023", "2023-05-08"],
    ["Council, 14 March 2025", "2025-03-14"],
    ["December 3rd, 2021", "2021-12-03"],
    ["the 1st of June 2022", "2022-06-01"],
    ["2023-02-29", undefined],
    ["31 April 2023", undefined],
    ["12024-01-011", undefined],
    ["May", undefined],
  ])("%s is %p", (text, day) => {
    expect<string | undefined>(findDay(text)).toBe(day);
  });
});

describe("the time in a question", () => {
  test.each([
    ["What happened on 7 July, 2023?", "2023-07-07", "2023-07-07"],
    ["What happened in February 2024?", "2024-02-01", "2024-02-29"],
    ["What did she do in 2022?", "2022-01-01", "2022-12-31"],
    ["What did she do yesterday?", "2024-05-14", "2024-05-14"],
    ["What did she do last week?", "2024-05-06", "2024-05-12"],
    ["What did she do last Wednesday?", "2024-05-08", "2024-05-08"],
    ["What did she do last Tuesday?", "2024-05-14", "2024-05-14"],
    ["Where was she three days ago?", "2024-05-12", "2024-05-12"],
    ["Where was she last month?", "2024-04-01", "2024-04-30"],
    ["Where was she last year?", "2023-01-01", "2023-12-31"],
  ])("%s", (text, from, to) => {
    expect<readonly object[]>(readTime(text, today).spans).toEqual([{ from, to }]);
  });

  test("reaches into the year before", () => {
    expect<readonly object[]>(readTime("What did she do last month?", parseDay("2024-01-15")).spans).toEqual([
      { from: "2023-12-01", to: "2023-12-31" },
    ]);
  });

  test("is a month of any year if no year is given, with a day if there is one", () => {
    expect(readTime("What was planned for May?").months).toEqual([{ month: 5 }]);
    expect(readTime("What did she do on 3 May?").months).toEqual([{ month: 5, day: 3 }]);
    expect(readTime("What did she do on June 21st?").months).toEqual([{ month: 6, day: 21 }]);
  });

  test("is empty if `may` is a verb", () => {
    expect(readTime("What may she do in march step?")).toEqual({ spans: [], months: [] });
  });

  test("is empty for relative words if today is unknown", () => {
    expect(readTime("What did she do yesterday?").spans).toEqual([]);
  });

  test("is read from any text without inverted spans", () => {
    fc.assert(fc.property(fc.string(), (text) => readTime(text, today).spans.every(({ from, to }) => from <= to)));
  });
});

test("days continue across months, years and leap days", () => {
  const day = fc.integer({ min: -200_000, max: 700_000 }).map((days) => addDays(toDay(1970, 1, 1) ?? fail(), days));
  fc.assert(
    fc.property(day, (one) => {
      expect(dayNumber(addDays(one, 1))).toBe(dayNumber(one) + 1);
      expect(weekdayOf(addDays(one, 7))).toBe(weekdayOf(one));
      expect(findDay(spellDay(one))).toBe(one);
    }),
  );
});

const fail = (): never => {
  throw new Error("1970 has a first day");
};
