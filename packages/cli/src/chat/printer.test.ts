import { expect, test } from "bun:test";
import type { DeltaPart } from "../fakes/fake-house.ts";
import { type ReplyPrinter, createReplyPrinter } from "./printer.ts";

const open = (): {
  readonly printer: ReplyPrinter;
  readonly screen: () => string;
  readonly play: (...parts: (DeltaPart | "restart")[]) => void;
} => {
  let screen = "";
  const printer = createReplyPrinter({
    write: (text) => (screen += text),
    note: (text) => (screen += `[${text.trim()}]\n`),
  });
  return {
    printer,
    screen: () => screen,
    play(...parts) {
      for (const part of parts) {
        if (part === "restart") printer.restart();
        else printer.delta({ ...part, at: 1 });
      }
    },
  };
};
const round = (count: number): DeltaPart => ({ type: "round-start", round: count });
const text = (piece: string): DeltaPart => ({ type: "text-delta", text: piece });
const tool = (call: string, input: { readonly [field: string]: string | number }): readonly DeltaPart[] => [
  { type: "tool-start", call, name: "read", input },
  { type: "tool-end", call, name: "read", failed: call === "bad", output: "", durationMs: 12 },
];

test("text is printed as it arrives and ends with one newline", () => {
  const { printer, screen, play } = open();
  play(round(1), text("Good "), text("morning."));
  expect(screen()).toBe("Good morning.");
  printer.end("Good morning.");
  expect(screen()).toBe("Good morning.\n");
});

test("rounds and tool calls begin on new lines", () => {
  const { printer, screen, play } = open();
  play(
    round(1),
    text("Let me look."),
    ...tool("a", { path: "a.md" }),
    round(2),
    ...tool("bad", { path: "b", limit: 2 }),
    round(3),
    text("It says 7."),
  );
  printer.end("It says 7.");
  expect(screen()).toBe("Let me look.\n[read a.md 12 ms]\n[read path=b limit=2 failed, 12 ms]\nIt says 7.\n");
});

test("a long tool input is truncated", () => {
  const { screen, play } = open();
  play(...tool("a", { path: "x".repeat(200) }));
  expect(screen()).toBe(`[read ${"x".repeat(79)}… 12 ms]\n`);
});

test("text repeated after a restart is printed once and continues", () => {
  const { printer, screen, play } = open();
  play(round(1), text("One."), ...tool("a", { path: "p" }), round(2), text("Two, th"), "restart");
  play(round(1), text("On"), text("e."), ...tool("a", { path: "p" }), round(2), text("Two, three."), text(" Four."));
  printer.end("Two, three. Four.");
  expect(screen()).toBe("One.\n[read p 12 ms]\nTwo, three. Four.\n");
});

test("text that differs after a restart begins on a new line", () => {
  const { printer, screen, play } = open();
  play(round(1), text("The answer is"), "restart", round(1), text("The reply"), text(" is 7."));
  printer.end("The reply is 7.");
  expect(screen()).toBe("The answer is\n[(restarted)]\nThe reply is 7.\n");
});

test("a restart is noted, and repeated calls are not", () => {
  const { printer, screen, play } = open();
  play(round(1), ...tool("a", { path: "p" }), ...tool("b", { path: "p" }), "restart");
  play(round(1), ...tool("a", { path: "p" }), ...tool("b", { path: "p" }), ...tool("c", { path: "p" }), text("Done."));
  printer.end("Done.");
  expect(screen()).toBe("[read p 12 ms]\n[read p 12 ms]\n[(restarted)]\n[read p 12 ms]\nDone.\n");
});

test("calls that differ after a restart are printed, with all later calls", () => {
  const { screen, play } = open();
  play(...tool("a", { path: "p" }), ...tool("b", { path: "q" }), "restart");
  play(...tool("a", { path: "x" }), ...tool("b", { path: "q" }));
  expect(screen()).toBe("[read p 12 ms]\n[read q 12 ms]\n[(restarted)]\n[read x 12 ms]\n[read q 12 ms]\n");
});

test("missing text is printed at the end, in whole or in part", () => {
  for (const [shown, final, screen] of [
    ["", "All of it.", "All of it.\n"],
    ["All", "All of it.", "All of it.\n"],
    ["Something else", "All of it.", "Something else\nAll of it.\n"],
    ["All of it.\n\n", "All of it.", "All of it.\n\n"],
  ] as const) {
    const one = open();
    one.play(round(1), ...(shown === "" ? [] : [text(shown)]));
    one.printer.end(final);
    expect(one.screen()).toBe(screen);
  }
});

test("an interrupted reply ends its line", () => {
  const { printer, screen, play } = open();
  play(round(1), text("So far"));
  printer.end();
  expect(screen()).toBe("So far\n");
});

test("output is escaped for the terminal, and a split character is printed whole", () => {
  const { printer, screen, play } = open();
  play(
    round(1),
    text("\u001b[2J"),
    text(`a${"🏡".slice(0, 1)}`),
    text(`${"🏡".slice(1)}b`),
    ...tool("a", { path: "\u001b]0;x\u0007" }),
  );
  printer.end();
  expect(screen()).toBe("\\e[2Ja🏡b\n[read \\e]0;x\\u0007 12 ms]\n");
});

test("a citation is printed as its words, however the text is cut", () => {
  const cited = "See [b.pdf, page 2](inbox/0123456789abcdef#page-2), and a [list](x) at [end]";
  for (let at = 1; at < cited.length; at += 1) {
    const { printer, screen, play } = open();
    play(round(1), text(cited.slice(0, at)), text(cited.slice(at)));
    printer.end(cited);
    expect(screen()).toBe("See [b.pdf, page 2], and a [list](x) at [end]\n");
  }
});
