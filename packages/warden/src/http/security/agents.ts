/** Security findings about single agents: isolation, trusted folders, budget, network access. */
import {
  type AgentId,
  type AgentRecord,
  DEFAULT_MODEL,
  DEFAULT_TOOLS,
  type EgressGrant,
  MODEL_HOST,
  PUBLIC_WEB,
  type SecurityFinding,
  withTool,
} from "@hearth/protocol";
import { findTool } from "@hearth/protocol/tools";
import { toolsOf } from "./trifecta.ts";
import { botsOf, isIsolated, type SecurityView } from "./view.ts";
import { joinWords, commandFix } from "./words.ts";

export const findInAgents = (view: SecurityView): readonly SecurityFinding[] =>
  botsOf(view).flatMap((agent) => [
    ...(view.walls === undefined ? [] : checkWalls(view, agent)),
    ...checkTrusted(agent),
    ...checkBudget(view, agent),
    ...(agent.content.egress ?? []).flatMap((grant) => checkGrant(agent, grant)),
  ]);

/** Returns the tools that run commands written by a model. */
const commandsOf = (view: SecurityView, agent: AgentRecord): readonly string[] =>
  toolsOf(view, agent)
    .filter(({ runs, traits }) => runs === "cell" && traits.acts)
    .map(({ name }) => name);

const checkWalls = (view: SecurityView, agent: AgentRecord): readonly SecurityFinding[] => {
  if (isIsolated(view, agent)) return [];
  const { id, handle } = agent;
  const commands = commandsOf(view, agent);
  const where = `agent ${handle}`;
  const isolationChange = { kind: "edit-agent", agent: id, content: { cell: "strongest" } } as const;
  const isolationCommand = `hearth agent edit ${handle} --cell strongest`;
  if (commands.length > 0)
    return [
      {
        id: "agent.open-hands",
        severity: "high",
        where,
        what: `@${handle} runs commands (${joinWords(commands)}) in a cell without isolation. They have all permissions of the user who runs Hearth.`,
        fix: commandFix(
          view.hasWalledKind === true
            ? isolationCommand
            : `hearth agent edit ${handle} --tools ${commands.map((name) => `-${name}`).join(",")}`,
        ),
        change:
          view.hasWalledKind === true
            ? isolationChange
            : { kind: "edit-agent", agent: id, content: { tools: toolNamesWithout(view, agent, commands) } },
        agent: id,
        instead: "To list the kinds of cell and their isolation on this machine: hearth doctor.",
      },
    ];
  // It runs no commands, and without an isolated kind of cell there is nothing to recommend.
  if (view.hasWalledKind !== true) return [];
  return [
    {
      id: "agent.no-walls",
      severity: "low",
      where,
      what: `@${handle} runs in a cell without isolation. It has no tools that run commands.`,
      fix: commandFix(isolationCommand),
      change: isolationChange,
      agent: id,
    },
  ];
};

/** Returns the agent's list of tools without these. */
const toolNamesWithout = (
  { table }: SecurityView,
  { content }: AgentRecord,
  removedTools: readonly string[],
): string[] => [
  ...removedTools.reduce<readonly string[]>(
    (list, name) => withTool(list, { name, isDefault: findTool(table, name)?.needs !== "person" }, false),
    content.tools ?? [DEFAULT_TOOLS],
  ),
];

const checkTrusted = ({ id, handle, content }: AgentRecord): readonly SecurityFinding[] => {
  const { mode, trusted = [] } = content;
  if (mode !== "ask" || trusted.length === 0) return [];
  const isWholeWorkspace = trusted.some((folder) => folder.split("/").every((name) => name === "" || name === "."));
  return [
    {
      id: "agent.trusted",
      severity: isWholeWorkspace ? "medium" : "low",
      where: `agent ${handle}`,
      what: isWholeWorkspace
        ? `@${handle} asks before it acts, except in its workspace: there it writes files and runs commands without approval.`
        : `@${handle} writes files in ${joinWords(trusted)} without approval.`,
      fix: commandFix(`hearth agent edit ${handle} --trusted ""`),
      change: { kind: "edit-agent", agent: id, content: { trusted: [] } },
      agent: id,
    },
  ];
};

const checkBudget = ({ config }: SecurityView, { id, handle, content }: AgentRecord): readonly SecurityFinding[] => {
  const { model = DEFAULT_MODEL, fallback = [], budget } = content;
  const { day, month } = config.budget.limits;
  const isLimited = [day, month, budget?.day, budget?.month].some((limit) => limit !== undefined);
  if (isLimited || [model, ...fallback].every((name) => name === DEFAULT_MODEL)) return [];
  return [
    {
      id: "agent.no-budget",
      severity: "medium",
      where: `agent ${handle}`,
      what: `@${handle} has no daily or monthly budget. Every person who can wake it can cause unlimited costs.`,
      fix: commandFix(`hearth agent edit ${handle} --budget-day 5`),
      agent: id,
      instead: "To limit all agents together, use Settings → Limits. Or run hearth config set budget.day=5",
    },
  ];
};

/** Other methods can change data. */
const READ_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

const checkGrant = ({ id, handle }: AgentRecord, grant: EgressGrant): readonly SecurityFinding[] => {
  const { host, port, methods, path, maxBytes } = grant;
  const where = `egress of agent ${handle} to ${host}`;
  const command = (flags: string): string =>
    `hearth egress deny ${handle} ${quoteHost(host)} && hearth egress allow ${handle} ${quoteHost(host)}${port === undefined ? "" : ` --port ${port}`}${flags}`;
  if (host === PUBLIC_WEB) return [toWebFinding(id, handle)];
  if (host === MODEL_HOST) {
    if (maxBytes !== undefined) return [];
    return [
      {
        id: "egress.wide",
        severity: "low",
        where,
        what: `Programs of @${handle} can send unlimited requests to its model.`,
        fix: commandFix(command(" --max-bytes 10000000")),
        agent: id,
      },
    ];
  }
  const isWriting = methods === undefined || methods.some((method) => !READ_METHODS.has(method));
  const openParts = [
    ...(host.startsWith("*.") ? ["all subdomains"] : []),
    ...(isWriting && (methods?.length ?? Infinity) > 2 ? ["all methods"] : []),
    ...(path === undefined || path === "/" ? ["all paths"] : []),
    ...(maxBytes === undefined ? ["no byte limit"] : []),
  ];
  // A grant needs one open part to be useful.
  if (openParts.length < 2) return [];
  const isVeryBroad = openParts.length > 2;
  return [
    {
      id: "egress.wide",
      severity: isVeryBroad ? "medium" : "low",
      where,
      what: `The network access of @${handle} to ${host} is broad: ${joinWords(openParts)}.`,
      fix: commandFix(
        command(" --method GET,HEAD --path /PATH --max-bytes 10000000").replace("/PATH", toNarrowPath(path)),
      ),
      agent: id,
      instead: "Replace the path with the one that the agent needs, and add POST if it has to write.",
    },
  ];
};

const toWebFinding = (agent: AgentId, handle: string): SecurityFinding => ({
  id: "egress.web",
  severity: "low",
  where: `egress of agent ${handle} to the public web`,
  what: `@${handle} can read every public page. The server of a page learns its address, which the agent chooses.`,
  fix: commandFix(`hearth egress deny ${handle} web`),
  agent,
  instead: `To allow single hosts only: hearth egress allow ${handle} HOST --method GET,HEAD.`,
});

/** Returns a narrower path as an example for the person. */
const toNarrowPath = (path: string | undefined): string => (path === undefined || path === "/" ? "/v1" : path);

const quoteHost = (host: string): string => (host.startsWith("*") || host.startsWith("[") ? `'${host}'` : host);
