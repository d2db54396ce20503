import { expect, test } from "bun:test";
import { countMissed, type Named, show, toDisturbance, toJson, toTable } from "./table.ts";

const rows: readonly Named[] = [
  { bench: "ready", finding: { what: "existing home", value: 150.2, unit: "ms", target: { atMost: 150 }, samples: 9 } },
  {
    bench: "rate",
    finding: { what: "20 agents", value: 300, unit: "turns/s", target: { atLeast: 300 }, samples: 1500, note: "5 s" },
  },
  { bench: "rate", finding: { what: "CPU", value: 1.234, unit: "ms", samples: 1500 } },
  { bench: "idle", finding: { what: "idle", skipped: "needs Linux" } },
];

test("a table has one line per finding with aligned columns, and marks missed and skipped ones", () => {
  expect(toTable(rows)).toBe(
    [
      "bench  what           figure  unit     target  met      samples  note",
      "-----  -------------  ------  -------  ------  -------  -------  -----------",
      "ready  existing home     150  ms       <= 150  NO             9",
      "rate   20 agents         300  turns/s  >= 300  yes         1500  5 s",
      "rate   CPU              1.23  ms                           1500",
      "idle   idle                                    skipped           needs Linux",
    ].join("\n"),
  );
});

test("JSON keeps every digit, and has `met` for figures with a target", () => {
  expect(JSON.parse(toJson("a machine", rows, new Map([["rate", 0.125]])))).toEqual({
    machine: "a machine",
    others: { rate: 0.125 },
    figures: [
      {
        bench: "ready",
        what: "existing home",
        value: 150.2,
        unit: "ms",
        target: { atMost: 150 },
        samples: 9,
        met: false,
      },
      {
        bench: "rate",
        what: "20 agents",
        value: 300,
        unit: "turns/s",
        target: { atLeast: 300 },
        samples: 1500,
        note: "5 s",
        met: true,
      },
      { bench: "rate", what: "CPU", value: 1.234, unit: "ms", samples: 1500 },
      { bench: "idle", what: "idle", skipped: "needs Linux" },
    ],
  });
});

test("a figure equal to its target meets it, and a figure without a target cannot miss it", () => {
  expect(countMissed(rows)).toBe(1);
});

test("a number is shown with about three digits", () => {
  expect([0, 7, 1300, 0.1234, 1.005, 12.345, 123.45, 1234.5].map(show)).toEqual([
    "0",
    "7",
    "1300",
    "0.12",
    "1.00",
    "12.3",
    "123",
    "1235",
  ]);
});

test("the CPU share of other processes is shown in percent per bench", () => {
  expect(
    toDisturbance(
      new Map([
        ["ready", 0.304],
        ["rate", 0],
      ]),
    ),
  ).toBe("ready 30 %, rate 0 %");
});
