/** `hearth egress`: lists, allows and denies network destinations of agents. */
import type { Client } from "@hearth/client";
import { type AgentRecord, EgressGrant, MODEL_HOST, type PatchRecord, PUBLIC_WEB } from "@hearth/protocol";
import { withoutAt } from "../show/agent-list.ts";
import { type Context, defineCommand, type Flags, type FlagValues, type Group } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { safeLine } from "../show/safe-text.ts";
import { UsageError } from "../args/usage-error.ts";

/** The argument for the public web. A host name has at least two labels, so the two cannot be confused. */
const WEB = "web";

const limitFlags = {
  port: {
    kind: "number",
    value: "N",
    min: 1,
    max: 65_535,
    summary: "only this port (default: 443, and 80 for plain HTTP)",
  },
  method: { kind: "text", value: "METHODS", summary: "only these methods, such as GET,HEAD (default: any)" },
  path: { kind: "text", value: "PATH", summary: "only this path and paths below it (default: any)" },
  "max-bytes": {
    kind: "number",
    value: "N",
    min: 1,
    max: Number.MAX_SAFE_INTEGER,
    summary: "at most this many bytes per activation, sent and received together (default: no limit)",
  },
} as const satisfies Flags;

const list = defineCommand({
  summary: "Lists the hosts that an agent may reach",
  needs: "permission to see the agent",
  args: [{ name: "AGENT" }],
  flags: {},
  examples: ["hearth egress list main", "hearth egress list main --json"],
  async run({ connect, json, output }, _flags, [agent = ""]) {
    const { content } = await findAgent(await connect(), agent);
    const grants = content.egress ?? [];
    if (json) output.json(grants);
    else
      output.table(
        ["HOST", "PORT", "METHODS", "PATH", "BYTES"],
        grants.map(({ host, port, methods, path, maxBytes }) => [
          ...(host === PUBLIC_WEB
            ? [WEB, "443", "GET,HEAD", "any"]
            : [host, port === undefined ? "443, 80" : String(port), methods?.join(",") ?? "any", path ?? "any"]),
          maxBytes === undefined ? "any" : String(maxBytes),
        ]),
        `The agent cannot reach any host. To allow one: hearth egress allow ${safeLine(agent)} HOST`,
      );
    return exitCodes.done;
  },
});

const allow = defineCommand({
  summary: "Allows an agent's programs to reach a host",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "HOST" }],
  flags: limitFlags,
  details: [
    "HOST is a host name, *.NAME for all subdomains of NAME, or an address. It applies from the next request. A name that resolves",
    "to your local network is still refused. To see requests and their outcomes: hearth activation egress ID",
    "",
    `${WEB} is the public web: the tools http_fetch and ask_source may read every page that has a public address, by GET over HTTPS,`,
    "without secrets. After it has read text of strangers, the agent asks before it reads an address that you did not write. To turn",
    "the tool on: hearth agent edit AGENT --tools +http_fetch",
    "",
    `${MODEL_HOST} is the house itself: the agent's programs can use the agent's model there, through the APIs of Anthropic and`,
    "OpenAI, at the provider's price and without its key. Environment variables in the cell point to it.",
  ].join("\n"),
  examples: [
    "hearth egress allow main files.example.org --method GET,HEAD",
    "hearth egress allow main *.github.com",
    "hearth egress allow main web",
    "hearth egress allow main api.example.org --path /v1 --max-bytes 10000000",
    `hearth egress allow main ${MODEL_HOST}`,
  ],
  async run(context, flags, [agent = "", host = ""]) {
    const grant = toGrant(host, flags);
    return changeGrants(context, agent, (grants) => [
      ...grants.filter((existing) => !hasSameDestination(existing, grant)),
      grant,
    ]);
  },
});

const deny = defineCommand({
  summary: "Removes an allowed host",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "HOST" }],
  flags: {},
  details: "Removes every entry with exactly this host. It applies from the next request.",
  examples: ["hearth egress deny main api.example.org"],
  async run(context, _flags, [agent = "", host = ""]) {
    return changeGrants(context, agent, (grants) => grants.filter((existing) => nameOf(existing) !== host));
  },
});

const findAgent = (client: Client, agent: string): Promise<AgentRecord> => client.agents.get(withoutAt(agent));

const changeGrants = async (
  { connect, json, output }: Context,
  agent: string,
  update: (grants: readonly EgressGrant[]) => readonly EgressGrant[],
) => {
  const client = await connect();
  const { id, version, content } = await findAgent(client, agent);
  const grants = update(content.egress ?? []);
  const egress = grants.length === 0 ? null : [...grants];
  // Sends the version that was read, so a concurrent change is not undone.
  const record = await client.agents.update(id, { version, content: { egress } as PatchRecord["content"] });
  if (json) output.json(record.content.egress ?? []);
  else
    output.line(
      grants.length === 0
        ? `@${safeLine(record.handle)} cannot reach any host`
        : `@${safeLine(record.handle)} may reach ${hostsOf(grants)}`,
    );
  return exitCodes.done;
};

const hostsOf = (grants: readonly EgressGrant[]): string =>
  [...new Set(grants.map((grant) => safeLine(nameOf(grant))))].join(", ");

const nameOf = ({ host }: EgressGrant): string => (host === PUBLIC_WEB ? WEB : host);

const toGrant = (host: string, flags: FlagValues<typeof limitFlags>): EgressGrant => {
  const { port, method, path, "max-bytes": maxBytes } = flags;
  const methods = method?.split(",").map((word) => word.trim().toUpperCase());
  const parsedGrant = EgressGrant.safeParse({
    // `*` is only the stored form. As an argument, a shell would expand it.
    host: host === WEB ? PUBLIC_WEB : host === PUBLIC_WEB ? "" : host,
    ...(port === undefined ? {} : { port }),
    ...(methods === undefined ? {} : { methods }),
    ...(path === undefined ? {} : { path }),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  if (parsedGrant.success) return parsedGrant.data;
  const [issue] = parsedGrant.error.issues;
  if (host === WEB)
    throw new UsageError("The public web takes only --max-bytes.", "Leave out --port, --method and --path.");
  throw new UsageError(
    `The ${String(issue?.path[0] ?? "host")} ${issue?.path[0] === "methods" ? "are not HTTP methods" : (issue?.message ?? "is invalid")}.`,
    "Give a host as a lower-case name such as api.example.org, *. and a name, an address, or web. Begin a path with a slash.",
  );
};

/** Returns whether both allow the same destination; methods and byte limits may differ. */
const hasSameDestination = (a: EgressGrant, b: EgressGrant): boolean =>
  a.host === b.host && a.port === b.port && a.path === b.path;

export const egress: Group = {
  kind: "group",
  summary: "Manages the hosts that agents may reach",
  verbs: { list, allow, deny },
};
