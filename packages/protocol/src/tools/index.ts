/** The table of tools: what a record's `tools` list may name. */
import type { z } from "zod";
import { edit } from "./edit.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { shell } from "./shell.ts";
import { time } from "./time.ts";
import type { ToolDeclaration } from "./tool.ts";
import { write } from "./write.ts";

export { DEFAULT_SHELL_SECONDS } from "./shell.ts";
export * from "./tool.ts";

export const tools = { read, write, edit, list, glob, grep, shell, time } as const satisfies Record<
  string,
  ToolDeclaration
>;

export type ToolName = keyof typeof tools;

/** What a tool is run with, once its schema has said yes. */
export type ToolInput<Name extends ToolName> = z.output<(typeof tools)[Name]["input"]>;

export const isToolName = (name: string): name is ToolName => Object.hasOwn(tools, name);
