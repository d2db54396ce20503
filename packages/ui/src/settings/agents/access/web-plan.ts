/** The two changes of the switch for web access. */
import {
  type AgentRecord,
  type AgentTool,
  type EgressGrant,
  hasTool,
  MODEL_HOST,
  PUBLIC_WEB,
  withTool,
} from "@hearth/protocol";
import type { AccessChange } from "./use-access.ts";

/** The tools that the switch turns on and off. */
const FETCH_TOOL = "http_fetch";
const SEARCH_TOOL = "web_search";

const isPublicWeb = ({ host }: EgressGrant): boolean => host === PUBLIC_WEB;

/** Whether the agent reads the public web: it has the grant and the tool. */
export const hasWeb = ({ content }: AgentRecord, tools: readonly AgentTool[]): boolean =>
  content.egress?.some(isPublicWeb) === true && isOn(content.tools, tools, FETCH_TOOL);

/** Whether the house has a search engine. */
export const hasEngine = (tools: readonly AgentTool[]): boolean =>
  tools.some(({ name, missing }) => name === SEARCH_TOOL && missing === undefined);

/** Whether the agent reaches hosts of its list too, for which it needs the tool. */
export const reachesHosts = ({ content }: AgentRecord): boolean =>
  content.egress?.some((grant) => !isPublicWeb(grant) && grant.host !== MODEL_HOST) === true;

export const planWeb = (agent: AgentRecord, tools: readonly AgentTool[], shouldTurnOn: boolean): AccessChange => {
  const { content } = agent;
  const otherGrants = (content.egress ?? []).filter((grant) => !isPublicWeb(grant));
  const changedTools = shouldTurnOn
    ? [FETCH_TOOL, ...(hasEngine(tools) ? [SEARCH_TOOL] : [])]
    : [SEARCH_TOOL, ...(reachesHosts(agent) ? [] : [FETCH_TOOL])];
  const toolNames = tools
    .filter(({ name }) => changedTools.includes(name))
    .reduce<readonly string[] | undefined>((names, tool) => withTool(names, tool, shouldTurnOn), content.tools);
  return {
    egress: shouldTurnOn ? [...otherGrants, { host: PUBLIC_WEB }] : otherGrants,
    ...(toolNames === undefined ? {} : { tools: toolNames }),
  };
};

const isOn = (toolNames: readonly string[] | undefined, tools: readonly AgentTool[], name: string): boolean =>
  tools.some((tool) => tool.name === name && hasTool(toolNames, tool));
