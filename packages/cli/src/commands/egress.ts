/** Where agents may go on the network: shown, allowed and taken back. */
import type { Client } from "@hearth/client";
import { type AgentRecord, EgressGrant, MODEL_HOST, type PatchRecord } from "@hearth/protocol";
import { withoutAt } from "../agent-list.ts";
import { type Context, defineCommand, type Flags, type FlagValues, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../safe-text.ts";
import { UsageError } from "../usage-error.ts";

const limits = {
  port: {
    kind: "number",
    value: "N",
    min: 1,
    max: 65_535,
    summary: "on this port (default: 443, and 80 for plain HTTP)",
  },
  method: { kind: "text", value: "METHODS", summary: "with these methods alone, such as GET,HEAD (default: any)" },
  path: { kind: "text", value: "PATH", summary: "this path and what is below it alone (default: any)" },
  "max-bytes": {
    ...({ kind: "number", value: "N", min: 1, max: Number.MAX_SAFE_INTEGER } as const),
    summary: "so many bytes in one activation, both ways together (default: any)",
  },
} as const satisfies Flags;

const list = defineCommand({
  summary: "Lists where an agent may go on the network",
  needs: "sight of the agent",
  args: [{ name: "AGENT" }],
  flags: {},
  examples: ["hearth egress list main", "hearth egress list main --json"],
  async run({ connect, json, output }, _flags, [agent = ""]) {
    const { content } = await find(await connect(), agent);
    const grants = content.egress ?? [];
    if (json) output.json(grants);
    else
      output.table(
        ["HOST", "PORT", "METHODS", "PATH", "BYTES"],
        grants.map(({ host, port, methods, path, maxBytes }) => [
          ...[host, port === undefined ? "443, 80" : String(port), methods?.join(",") ?? "any", path ?? "any"],
          maxBytes === undefined ? "any" : String(maxBytes),
        ]),
        `It may go nowhere. Allow it somewhere: hearth egress allow ${safeLine(agent)} HOST`,
      );
    return exitCodes.done;
  },
});

const allow = defineCommand({
  summary: "Lets what an agent runs go to a host",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "HOST" }],
  flags: limits,
  details: [
    "A host name, *. before one for every name below it, or an address. It holds from the next request on. A name that leads into",
    "your own network is refused all the same. What was asked for and what came of it: hearth activation egress",
    "",
    `${MODEL_HOST} is the house itself: programs that an agent runs find the agent's own model there, by the APIs of Anthropic and`,
    "OpenAI, at its provider's price and without its key. Their environment leads them there.",
  ].join("\n"),
  examples: [
    "hearth egress allow main files.example.org --method GET,HEAD",
    "hearth egress allow main *.github.com",
    "hearth egress allow main api.example.org --path /v1 --max-bytes 10000000",
    `hearth egress allow main ${MODEL_HOST}`,
  ],
  async run(context, flags, [agent = "", host = ""]) {
    const grant = toGrant(host, flags);
    return change(context, agent, (present) => [...present.filter((other) => !isSame(other, grant)), grant]);
  },
});

const deny = defineCommand({
  summary: "Takes back what was allowed for a host",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "HOST" }],
  flags: {},
  details: "All that was allowed under that very name. It holds from the next request on.",
  examples: ["hearth egress deny main api.example.org"],
  async run(context, _flags, [agent = "", host = ""]) {
    return change(context, agent, (present) => present.filter((other) => other.host !== host));
  },
});

const find = (client: Client, agent: string): Promise<AgentRecord> => client.agents.get(withoutAt(agent));

const change = async (
  { connect, json, output }: Context,
  agent: string,
  next: (present: readonly EgressGrant[]) => readonly EgressGrant[],
) => {
  const client = await connect();
  const { id, version, content } = await find(client, agent);
  const grants = next(content.egress ?? []);
  const egress = grants.length === 0 ? null : [...grants];
  // By the version that it was read at: what somebody else changed meanwhile is not undone.
  const record = await client.agents.update(id, { version, content: { egress } as PatchRecord["content"] });
  if (json) output.json(record.content.egress ?? []);
  else output.line(`@${safeLine(record.handle)} may go to ${grants.length === 0 ? "no host" : hostsOf(grants)}`);
  return exitCodes.done;
};

const hostsOf = (grants: readonly EgressGrant[]): string =>
  [...new Set(grants.map(({ host }) => safeLine(host)))].join(", ");

const toGrant = (host: string, flags: FlagValues<typeof limits>): EgressGrant => {
  const { port, method, path, "max-bytes": maxBytes } = flags;
  const methods = method?.split(",").map((one) => one.trim().toUpperCase());
  const read = EgressGrant.safeParse({
    host,
    ...(port === undefined ? {} : { port }),
    ...(methods === undefined ? {} : { methods }),
    ...(path === undefined ? {} : { path }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(
    `The ${String(issue?.path[0] ?? "host")} ${issue?.path[0] === "methods" ? "are none of HTTP" : (issue?.message ?? "is none")}.`,
    "A host is a name in lower case such as api.example.org, *. before one, or an address; a path begins with a slash.",
  );
};

/** All but what it limits. */
const isSame = (one: EgressGrant, other: EgressGrant): boolean =>
  one.host === other.host && one.port === other.port && one.path === other.path;

export const egress: Group = {
  kind: "group",
  summary: "Where agents may go on the network",
  verbs: { list, allow, deny },
};
