/** The table of the tools that run on the host, and the function that runs them. */
import type { Cells } from "../../cells/index.ts";
import type { Kernel } from "../../kernel/index.ts";
import type { Models } from "../../models/index.ts";
import type { People } from "../../people/index.ts";
import type { Policy } from "../../policy/index.ts";
import { capOutput, type HostToolName, isHostToolName, isToolName, readInput, tools } from "@hearth/protocol/tools";
import type { Agents } from "../open.ts";
import type { HostCall } from "./call.ts";
import { findTools } from "./find-tools.ts";
import { forget } from "./memory/forget.ts";
import { readBrain } from "./memory/read-brain.ts";
import { recall } from "./memory/recall.ts";
import { remember } from "./memory/remember.ts";
import { writeBrain } from "./memory/write-brain.ts";
import { askAgent } from "./other-agents/ask-agent.ts";
import type { Children } from "./other-agents/children.ts";
import { delegate } from "./other-agents/delegate.ts";
import { sendToAgent } from "./other-agents/send-to-agent.ts";
import { attach } from "./reply-files/attach.ts";
import { chart } from "./reply-files/chart.ts";
import { imageEdit, imageGenerate } from "./reply-files/pictures.ts";
import { houseQuery } from "./rooms/house-query.ts";
import { sendMessage } from "./rooms/send-message.ts";
import { cancelTask, listTasks, pauseTask, resumeTask } from "./schedule/job-tools.ts";
import { scheduleTask } from "./schedule/schedule-task.ts";
import { bindTools, type BoundTools, failedOutcome, type HostOutcome, type OneShotCall } from "./tool.ts";
import { askSource } from "./web/ask-source.ts";
import { httpFetch } from "./web/http-fetch.ts";
import { webSearch } from "./web/web-search.ts";

export interface HostToolsOptions {
  readonly kernel: Kernel;
  readonly people: People;
  readonly models: Models;
  readonly policy: Policy;
  readonly cells: Cells;
  readonly agents: Agents;
  readonly children: Children;
  readonly oneShotCall: OneShotCall;
}

export interface HostTools {
  /** Runs a tool. `input` is the model's input before validation. */
  run(name: string, input: unknown, call: HostCall): Promise<HostOutcome>;
}

export const createHostTools = (options: HostToolsOptions): HostTools => {
  const { externalTools } = options.agents;
  const implementations = createImplementations(options);

  const runExternal = async (name: string, input: unknown, call: HostCall): Promise<HostOutcome> => {
    const tool = Object.hasOwn(externalTools, name) ? externalTools[name] : undefined;
    if (tool === undefined) return failedOutcome(`There is no tool ${JSON.stringify(name)} on the host.`);
    const parsed = readInput(tool.declaration, input);
    if ("wrong" in parsed) return failedOutcome(parsed.wrong);
    // The object schema of the declaration has just validated the input.
    const outcome = await tool.run(parsed.data as Readonly<Record<string, unknown>>, call);
    return { ...outcome, text: capOutput(outcome.text) };
  };

  return {
    async run(name, input, call) {
      if (!isToolName(name) || !isHostToolName(name)) return runExternal(name, input, call);
      const parsed = readInput(tools[name], input);
      if ("wrong" in parsed) return failedOutcome(parsed.wrong);
      // The tool's own schema has just validated the input.
      const outcome = await implementations[name](parsed.data as never, call);
      return { ...outcome, text: capOutput(outcome.text) };
    },
  };
};

/** Creates the tools in groups. The tools of a group share their parts. */
export const createImplementations = (options: HostToolsOptions): BoundTools<HostToolName> => {
  const { kernel, people, models, policy, cells, agents, children, oneShotCall } = options;
  const { world, store, config } = kernel;
  const { records, rooms, uploads, mayCarry, mayReach } = people;
  const { levelOf } = people.permissions;
  const { leakScan } = policy.chokePoint;
  const { brains, externalTools, inbox } = agents;
  const replyFileParts = {
    world,
    uploads,
    brains,
    leakScan,
    documents: cells.documents,
    pictures: models.pictures,
    admitAgentCost: policy.admitAgentCost,
  };
  const webParts = { egress: cells.egress, leakScan, search: agents.search, oneShotCall, externalTools, levelOf };
  const memoryParts = {
    records,
    brains,
    recall: agents.memories.recall,
    passages: agents.passages,
    findEarlier: agents.session.earlier,
    forget: agents.forget,
    dayOf: agents.dayOf,
  };
  const roomParts = { world, store, records, rooms, levelOf, mayCarry, budgets: policy.budgets };
  const maxChain = () => config.current().turns.maxChain;
  const otherAgentParts = { world, records, inbox, children, mayReach, maxChain };
  const scheduleParts = { world, store, records, levelOf, jobs: agents.schedule.own };
  return {
    ...bindTools(replyFileParts, { attach, chart, image_generate: imageGenerate, image_edit: imageEdit }),
    ...bindTools(webParts, { http_fetch: httpFetch, web_search: webSearch, ask_source: askSource }),
    ...bindTools(memoryParts, { read_brain: readBrain, write_brain: writeBrain, remember, recall, forget }),
    ...bindTools(roomParts, { house_query: houseQuery, send_message: sendMessage }),
    ...bindTools(otherAgentParts, { send_to_agent: sendToAgent, ask_agent: askAgent, delegate }),
    ...bindTools(scheduleParts, {
      schedule_task: scheduleTask,
      list_tasks: listTasks,
      pause_task: pauseTask,
      resume_task: resumeTask,
      cancel_task: cancelTask,
    }),
    ...bindTools({ externalTools }, { find_tools: findTools }),
  };
};
