import { expect, test } from "bun:test";
import { summaryOf } from "./call-summary.ts";

test("a command is the target, with its lines, then its folder, its other fields and its files", () => {
  const display = [
    "shell",
    "  background: true",
    '  command: "npm test\\n  --watch \\u{202E}"',
    "in the root folder of its workspace",
    'with the current content of these files: "a.sh"',
    'WARNING: the content of these files may change before the command runs: "b.sh" (too long)',
  ].join("\n");
  expect(summaryOf("shell", display)).toEqual({
    target: "npm test\n  --watch \\u{202E}",
    facts: [
      { title: "Folder", text: "Root of the workspace" },
      { title: "background", text: "true" },
      { title: "Files", text: '"a.sh"' },
    ],
    warning: 'the content of these files may change before the command runs: "b.sh" (too long)',
  });
});

test("fields that the change lines show are not repeated", () => {
  expect(summaryOf("write", 'write\n  content: "a"\n  path: "notes.md"')).toEqual({
    target: "notes.md",
    facts: [],
    warning: undefined,
  });
  const strange = 'write\n  content: ["a"]\n  path: "notes.md"';
  expect(summaryOf("write", strange)?.facts).toEqual([{ title: "content", text: '["a"]' }]);
});

test("a call has no summary if a line is not understood, or if its target is missing, empty or not text", () => {
  expect(summaryOf("shell", 'shell\n  command: "ls"\nas root')).toBeUndefined();
  expect(summaryOf("shell", 'shell\n  command: "ls"\n  "odd name": 1')).toBeUndefined();
  expect(summaryOf("shell", 'shell\n  command: ["ls"]')).toBeUndefined();
  expect(summaryOf("shell", 'shell\n  command: ""')).toBeUndefined();
  expect(summaryOf("stranger", 'stranger\n  path: "a"')).toBeUndefined();
});
