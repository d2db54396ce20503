/** The table of tools. Its keys are the legal names in a record's `tools` list. */
import type { z } from "zod";
import { applyPatch } from "./apply-patch.ts";
import { askSource } from "./ask-source.ts";
import { readBrain, writeBrain } from "./brain.ts";
import { edit } from "./edit.ts";
import { findTools } from "./find-tools.ts";
import { git } from "./git.ts";
import { hardwareInfo } from "./hardware-info.ts";
import { houseQuery } from "./house-query.ts";
import { httpFetch } from "./http-fetch.ts";
import { image, imageEdit, imageGenerate } from "./image.ts";
import { cancelTask, listTasks, pauseTask, resumeTask, scheduleTask } from "./jobs.ts";
import { forget, recall, remember } from "./memory.ts";
import { askAgent, delegate, sendToAgent } from "./other-agents.ts";
import { processes } from "./processes.ts";
import { read } from "./read.ts";
import { attach, chart, sendMessage } from "./send-message.ts";
import { shell } from "./shell.ts";
import { time } from "./time.ts";
import { findTool, MAX_ARGUMENT_BYTES, type ToolDeclaration } from "./tool.ts";
import { webSearch } from "./web-search.ts";
import { glob, grep, list } from "./workspace-search.ts";
import { write } from "./write.ts";

export { ANSWER_KINDS } from "./ask-source.ts";
export { FOUND, parseFoundNames } from "./find-tools.ts";
export { DEFAULT_SHELL_SECONDS } from "./shell.ts";
export { DEFAULT_ASK_SECONDS } from "./other-agents.ts";
export { MAX_PICTURES, PICTURES, type PictureSize } from "./image.ts";
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
  image_generate: imageGenerate,
  image_edit: imageEdit,
  hardware_info: hardwareInfo,
  time,
  house_query: houseQuery,
  http_fetch: httpFetch,
  web_search: webSearch,
  ask_source: askSource,
  send_message: sendMessage,
  attach,
  chart,
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

type ToolNameAt<Place> = {
  readonly [Name in ToolName]: (typeof tools)[Name]["runs"] extends Place ? Name : never;
}[ToolName];
/**
 * The tools that run in the cell, and those that run on the host. Each tool has exactly one place.
 */
export type CellToolName = ToolNameAt<"cell">;
export type HostToolName = ToolNameAt<"host">;

/** A tool's input after validation. */
export type ToolInput<Name extends ToolName> = z.output<(typeof tools)[Name]["input"]>;

export const isToolName = (name: string): name is ToolName => Object.hasOwn(tools, name);

/** Returns the maximum size of the arguments of a call as JSON. */
export const maxArgumentBytes = (name: string): number => findTool(tools, name)?.maxArgumentBytes ?? MAX_ARGUMENT_BYTES;

export const isHostToolName = (name: ToolName): name is HostToolName => tools[name].runs === "host";
