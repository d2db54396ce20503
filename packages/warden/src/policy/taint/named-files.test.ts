import { expect, test } from "bun:test";
import { tools } from "@hearth/protocol/tools";
import { commandOf, namesFile } from "./named-files.ts";
import type { ApprovableEffect } from "../approvals/frozen-call.ts";

const asking = (name: string, input: object): ApprovableEffect =>
  ({ kind: "tool", call: { id: "c", name, input } }) as ApprovableEffect;

test("a command names files by name in any folder, quoted, escaped, as a module and by a pattern", () => {
  const named: readonly (readonly [command: string, path: string])[] = [
    ["sh run.sh", "run.sh"],
    ["cd jobs && ./run.sh", "jobs/run.sh"],
    ["sh 'my run'.sh", "my run.sh"],
    ["sh r\\un.sh", "run.sh"],
    ["tool --now", "bin/tool"],
    ["python -m report", "lib/report.py"],
    ["sh *.sh", "deep/run.sh"],
    ["cat a;sh r?n.sh", "run.sh"],
    ["sh [r]un.sh", "run.sh"],
    ["sh .hidden", ".hidden"],
  ];
  for (const [command, path] of named) expect([command, path, namesFile(command)(path)]).toEqual([command, path, true]);
  for (const [command, path] of [
    ["sh run.sh", "walk.sh"],
    ["sh *.sh", "notes.md"],
    ["ls", "run.sh"],
  ] as const)
    expect([command, path, namesFile(command)(path)]).toEqual([command, path, false]);
});

test("files that programs read automatically count for every command, in any folder", () => {
  for (const path of [
    ...[
      "Makefile",
      "lib/GNUmakefile",
      "rules.mk",
      "package.json",
      "deep/er/package.json",
      "vite.config.ts",
      ".eslintrc.cjs",
    ],
    ...[
      "tests/conftest.py",
      "setup.py",
      "pyproject.toml",
      "lib/x.pth",
      "Cargo.toml",
      "build.rs",
      "build.gradle.kts",
      "CMakeLists.txt",
    ],
    ...[
      ".git/hooks/pre-commit",
      "repo/.git/config",
      ".husky/pre-push",
      ".cargo/config.toml",
      "Dockerfile.dev",
      "compose.yaml",
    ],
  ])
    expect([path, namesFile("sh do.sh")(path)]).toEqual([path, true]);
  for (const path of [
    "notes.md",
    "makefile-notes.md",
    "package.jsonl",
    "src/main.ts",
    "hooks/pre-commit",
    ".git/HEAD",
    "data.config.json",
  ])
    expect([path, namesFile("make test")(path)]).toEqual([path, false]);
});

test("only calls that run programs in the agent's cell are commands", () => {
  expect(commandOf(asking("shell", { command: "sh run.sh" }), tools)).toBe("sh run.sh");
  expect(commandOf(asking("git", { args: ["commit", "-m", "x"] }), tools)).toBe("commit\n-m\nx");
  for (const name of ["write", "send_message", "nothing"])
    expect(commandOf(asking(name, { path: "run.sh", room: "x" }), tools)).toBeUndefined();
  const model = { kind: "model", models: ["m"], call: { name: "shell", input: { command: "ls" } } };
  expect(commandOf(model as unknown as ApprovableEffect, tools)).toBeUndefined();
  expect(commandOf(asking("shell", { command: "ls", folder: null, seconds: 3 }), tools)).toBe("ls");
});
