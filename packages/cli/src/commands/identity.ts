/** `hearth identity`: lists and unlinks accounts at OpenID Connect providers, and checks a provider. */
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { withoutAt } from "../show/agent-list.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge } from "../show/time.ts";

const list = defineCommand({
  summary: "Lists the accounts at OpenID Connect providers that are linked to a person, newest first",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "PERSON", optional: true }],
  flags: {},
  details: "Without PERSON, lists your own. To link one, use a browser: Settings → Account.",
  examples: ["hearth identity list", "hearth identity list ana --json"],
  async run(context, _flags, [personName]) {
    const { connect, json, output, terminal } = context;
    const client = await connect();
    const { id: agent } = await findPerson(client, personName);
    const { identities } = await (await client.identities()).list(agent);
    if (json) output.json(identities);
    else {
      output.table(
        ["ID", "PROVIDER", "ACCOUNT", "LINKED", "LAST LOGIN"],
        identities.map(({ id, provider, account, createdAt, usedAt }) => [
          id,
          provider,
          account ?? "",
          formatAge(createdAt, terminal.now()),
          usedAt === undefined ? "never" : formatAge(usedAt, terminal.now()),
        ]),
        "No linked accounts. To link one, open Settings → Account in a browser.",
      );
    }
    return exitCodes.done;
  },
});

const unlink = defineCommand({
  summary: "Unlinks an account at an OpenID Connect provider from a person",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "IDENTITY" }, { name: "PERSON", optional: true }],
  flags: {},
  details: [
    "The account no longer logs in. Sessions that have begun continue. To end your own: hearth session end-all",
    "Without PERSON, unlinks one of yours.",
  ].join("\n"),
  examples: ["hearth identity unlink 9f86d081884c7d65", "hearth identity unlink 9f86d081884c7d65 ana"],
  async run({ connect, json, output, terminal }, _flags, [id = "", personName]) {
    const client = await connect();
    const identities = await client.identities();
    const { id: agent, handle } = await findPerson(client, personName);
    const { needsCurrent } = await identities.list(agent);
    const proof = needsCurrent ? { current: await terminal.readSecret("Current password: ") } : {};
    const identity = await identities.unlink(agent, id, proof);
    if (json) output.json(identity);
    else
      output.line(
        `Unlinked ${safeLine(identity.account ?? "the account")} at ${safeLine(identity.provider)} from @${safeLine(handle)}`,
      );
    return exitCodes.done;
  },
});

const test = defineCommand({
  summary: "Checks that an OpenID Connect provider of the config file answers",
  needs: "x on the first house",
  args: [{ name: "PROVIDER" }],
  flags: {},
  details: "PROVIDER is the NAME of [login.oidc.NAME] in hearth.toml.",
  examples: ["hearth identity test acme"],
  async run({ connect, json, output }, _flags, [provider = ""]) {
    const check = await (await (await connect()).identities()).test(provider);
    if (json) output.json(check);
    else {
      output.line(safeLine(check.detail));
      if (check.hint !== undefined) output.note(safeLine(check.hint));
    }
    return check.ok ? exitCodes.done : exitCodes.failed;
  },
});

const findPerson = async (client: Awaited<ReturnType<Context["connect"]>>, name: string | undefined) =>
  name === undefined ? (await client.me()).agent : client.agents.get(withoutAt(name));

export const identity: Group = {
  kind: "group",
  summary: "Lists and unlinks accounts at OpenID Connect providers, and checks a provider",
  verbs: { list, unlink, test },
};
