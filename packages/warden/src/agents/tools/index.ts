/** The table of the tools that run on the host, and the function that runs them. */
import { capOutput, type HostToolName, isHostToolName, isToolName, readInput, tools } from "@hearth/protocol/tools";
import { attach } from "./attach.ts";
import { askAgent } from "./ask-agent.ts";
import { askSource } from "./ask-source.ts";
import type { HostCall } from "./call.ts";
import { chart } from "./chart.ts";
import { delegate } from "./delegate.ts";
import { findTools } from "./find-tools.ts";
import { forget } from "./forget.ts";
import { httpFetch } from "./http-fetch.ts";
import { houseQuery } from "./house-query.ts";
import { imageEdit, imageGenerate } from "./pictures.ts";
import { readBrain } from "./read-brain.ts";
import { recall } from "./recall.ts";
import { remember } from "./remember.ts";
import { scheduleTask } from "./schedule-task.ts";
import { sendMessage } from "./send-message.ts";
import { sendToAgent } from "./send-to-agent.ts";
import { cancelTask, listTasks, pauseTask, resumeTask } from "./job-tools.ts";
import { webSearch } from "./web-search.ts";
import { writeBrain } from "./write-brain.ts";
import { failedOutcome, type HostOutcome, type HostParts, type RunHostTool } from "./tool.ts";

export const hostTools = {
  image_generate: imageGenerate,
  image_edit: imageEdit,
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
} as const satisfies {
  readonly [Name in HostToolName]: RunHostTool<Name>;
};

export interface HostTools {
  /** Runs a tool. `input` is the model's input before validation. */
  run(name: string, input: unknown, call: HostCall): Promise<HostOutcome>;
}

export const createHostTools = (parts: HostParts): HostTools => ({
  async run(name, input, call) {
    if (!isToolName(name) || !isHostToolName(name)) return runExternal(name, input, call, parts);
    const read = readInput(tools[name], input);
    if ("wrong" in read) return failedOutcome(read.wrong);
    // The tool's own schema has just validated the input.
    const runTool = hostTools[name] as RunHostTool<HostToolName>;
    const outcome = await runTool(read.data as never, call, parts);
    return { ...outcome, text: capOutput(outcome.text) };
  },
});

const runExternal = async (
  name: string,
  input: unknown,
  call: HostCall,
  { externalTools }: HostParts,
): Promise<HostOutcome> => {
  const tool = Object.hasOwn(externalTools, name) ? externalTools[name] : undefined;
  if (tool === undefined) return failedOutcome(`There is no tool ${JSON.stringify(name)} on the host.`);
  const read = readInput(tool.declaration, input);
  if ("wrong" in read) return failedOutcome(read.wrong);
  // Its object schema has just validated the input.
  const outcome = await tool.run(read.data as Readonly<Record<string, unknown>>, call);
  return { ...outcome, text: capOutput(outcome.text) };
};
