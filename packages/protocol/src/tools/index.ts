/** The table of tools. Its keys are the legal names in a record's `tools` list. */
import type { z } from "zod";
import { applyPatch } from "./apply-patch.ts";
import { askAgent } from "./ask-agent.ts";
import { askSource } from "./ask-source.ts";
import { delegate } from "./delegate.ts";
import { edit } from "./edit.ts";
import { findTools } from "./find-tools.ts";
import { forget } from "./forget.ts";
import { git } from "./git.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { hardwareInfo } from "./hardware-info.ts";
import { houseQuery } from "./house-query.ts";
import { httpFetch } from "./http-fetch.ts";
import { image } from "./image.ts";
import { cancelTask, listTasks, pauseTask, resumeTask, scheduleTask } from "./jobs.ts";
import { list } from "./list.ts";
import { processes } from "./processes.ts";
import { readBrain } from "./read-brain.ts";
import { read } from "./read.ts";
import { recall } from "./recall.ts";
import { remember } from "./remember.ts";
import { attach, sendMessage } from "./send-message.ts";
import { sendToAgent } from "./send-to-agent.ts";
import { shell } from "./shell.ts";
import { time } from "./time.ts";
import { findTool, MAX_ARGUMENT_BYTES, type ToolDeclaration } from "./tool.ts";
import { webSearch } from "./web-search.ts";
import { writeBrain } from "./write-brain.ts";
import { write } from "./write.ts";

export { DEFAULT_ASK_SECONDS } from "./ask-agent.ts";
export { ANSWER_KINDS } from "./ask-source.ts";
export { FOUND, namesFound } from "./find-tools.ts";
export { DEFAULT_SHELL_SECONDS } from "./shell.ts";
export { readInput } from "./input.ts";
export * from "./tool.ts";

export const tools = {
  read,
  write,
  edit,
  apply_patch: applyPatch,
  list,
  glob,
  grep,
  shell,
  processes,
  git,
  image,
  hardware_info: hardwareInfo,
  time,
  house_query: houseQuery,
  http_fetch: httpFetch,
  web_search: webSearch,
  ask_source: askSource,
  send_message: sendMessage,
  attach,
  send_to_agent: sendToAgent,
  ask_agent: askAgent,
  delegate,
  read_brain: readBrain,
  write_brain: writeBrain,
  remember,
  recall,
  forget,
  schedule_task: scheduleTask,
  list_tasks: listTasks,
  pause_task: pauseTask,
  resume_task: resumeTask,
  cancel_task: cancelTask,
  find_tools: findTools,
} as const satisfies Record<string, ToolDeclaration>;

export type ToolName = keyof typeof tools;

type RunningAt<Place> = {
  readonly [Name in ToolName]: (typeof tools)[Name]["runs"] extends Place ? Name : never;
}[ToolName];
/**
 * The tools that run in the cell, and those that run on the host. Each tool has exactly one place.
 */
export type CellToolName = RunningAt<"cell">;
export type HostToolName = RunningAt<"host">;

/** A tool's input after validation. */
export type ToolInput<Name extends ToolName> = z.output<(typeof tools)[Name]["input"]>;

export const isToolName = (name: string): name is ToolName => Object.hasOwn(tools, name);

/** Maximum size of the arguments of a call as JSON. */
export const maxArgumentBytes = (name: string): number => findTool(tools, name)?.maxArgumentBytes ?? MAX_ARGUMENT_BYTES;

export const isHostToolName = (name: ToolName): name is HostToolName => tools[name].runs === "host";
