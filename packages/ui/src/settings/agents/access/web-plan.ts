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
const FETCH = "http_fetch";
const SEARCH = "web_search";

const isPublicWeb = ({ host }: EgressGrant): boolean => host === PUBLIC_WEB;

/** Whether the agent reads the public web: it has the grant and the tool. */
export const hasWeb = ({ content }: AgentRecord, tools: readonly AgentTool[]): boolean =>
  content.egress?.some(isPublicWeb) === true && isOn(content.tools, tools, FETCH);

/** Whether the house has a search engine. */
export const hasEngine = (tools: readonly AgentTool[]): boolean =>
  tools.some(({ name, missing }) => name === SEARCH && missing === undefined);

/** Whether the agent reaches hosts of its list too, for which it needs the tool. */
export const reachesHosts = ({ content }: AgentRecord): boolean =>
  content.egress?.some((grant) => !isPublicWeb(grant) && grant.host !== MODEL_HOST) === true;

export const planWeb = (agent: AgentRecord, tools: readonly AgentTool[], turnsOn: boolean): AccessChange => {
  const { content } = agent;
  const others = (content.egress ?? []).filter((grant) => !isPublicWeb(grant));
  const changed = turnsOn
    ? [FETCH, ...(hasEngine(tools) ? [SEARCH] : [])]
    : [SEARCH, ...(reachesHosts(agent) ? [] : [FETCH])];
  const list = tools
    .filter(({ name }) => changed.includes(name))
    .reduce<readonly string[] | undefined>((present, tool) => withTool(present, tool, turnsOn), content.tools);
  return {
    egress: turnsOn ? [...others, { host: PUBLIC_WEB }] : others,
    ...(list === undefined ? {} : { tools: list }),
  };
};

const isOn = (list: readonly string[] | undefined, tools: readonly AgentTool[], name: string): boolean =>
  tools.some((tool) => tool.name === name && hasTool(list, tool));
