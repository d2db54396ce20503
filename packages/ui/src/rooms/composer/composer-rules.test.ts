import { expect, test } from "bun:test";
import { MAX_MESSAGE_LENGTH } from "@hearth/protocol";
import {
  type ComposerState,
  joinTexts,
  meaningOf,
  noteOf,
  type PressedKey,
  toMessageText,
  warnOfLength,
} from "./composer-rules.ts";

const press = (key: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  ...more,
});
const state = (more: Partial<ComposerState> = {}): ComposerState => ({
  text: "hello",
  isCoarse: false,
  isRunning: false,
  ...more,
});

test("Enter sends, Shift+Enter begins a new line", () => {
  expect(meaningOf(press("Enter"), state())).toBe("send");
  expect(meaningOf(press("Enter", { shiftKey: true }), state())).toBeUndefined();
});

test("the Enter that ends an IME composition does not send", () => {
  expect(meaningOf(press("Enter", { isComposing: true }), state())).toBeUndefined();
});

test("on touch screens Enter begins a new line, and Ctrl or Cmd with Enter sends", () => {
  expect(meaningOf(press("Enter"), state({ isCoarse: true }))).toBeUndefined();
  expect(meaningOf(press("Enter", { ctrlKey: true }), state({ isCoarse: true }))).toBe("send");
  expect(meaningOf(press("Enter", { metaKey: true }), state({ isCoarse: true }))).toBe("send");
});

test("arrow up edits the last message only from an empty composer", () => {
  expect(meaningOf(press("ArrowUp"), state({ text: "" }))).toBe("edit-last");
  expect(meaningOf(press("ArrowUp"), state())).toBeUndefined();
  expect(meaningOf(press("ArrowUp", { altKey: true }), state({ text: "" }))).toBeUndefined();
});

test("Esc stops while something runs, also with typed text", () => {
  expect(meaningOf(press("Escape"), state({ text: "", isRunning: true }))).toBe("stop");
  expect(meaningOf(press("Escape"), state({ isRunning: true }))).toBe("stop");
  expect(meaningOf(press("Escape", { isComposing: true }), state({ isRunning: true }))).toBeUndefined();
  expect(meaningOf(press("Escape"), state({ text: "" }))).toBeUndefined();
});

test("sent text keeps the indentation of its first line and loses surrounding empty lines", () => {
  expect(toMessageText("\n  \n  indented\nline  \n\n")).toBe("  indented\nline");
  expect(toMessageText(" \n ")).toBe("");
  expect(toMessageText("half \ud83d").isWellFormed()).toBe(true);
});

test("a warning appears in the last tenth before the length limit, and beyond it", () => {
  expect(warnOfLength("x".repeat(MAX_MESSAGE_LENGTH * 0.9))).toBeUndefined();
  expect(warnOfLength("x".repeat(MAX_MESSAGE_LENGTH - 10))).toEqual({ words: "10 characters left.", isTooLong: false });
  expect(warnOfLength("x".repeat(MAX_MESSAGE_LENGTH))?.isTooLong).toBe(false);
  expect(warnOfLength("x".repeat(MAX_MESSAGE_LENGTH + 1_200))).toEqual({
    words: "1,200 characters too many. Shorten the message or split it.",
    isTooLong: true,
  });
});

test("inserted text never replaces existing text in the composer", () => {
  expect(joinTexts("", "help")).toBe("help");
  expect(joinTexts("  \n", "help")).toBe("help");
  expect(joinTexts("mine \n", "theirs")).toBe("mine\n\ntheirs");
});

test("without a connection the composer says that messages wait, unless there is a warning", () => {
  expect(noteOf(undefined, false)).toBeUndefined();
  expect(noteOf(undefined, true)).toContain("Messages are sent when the connection is back");
  expect(noteOf({ words: "10 characters left.", isTooLong: false }, true)).toBe("10 characters left.");
});
