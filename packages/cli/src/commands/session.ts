/** Where one is logged in with a browser: listed, and ended. */
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../ids.ts";
import { ago } from "../time.ts";

const list = defineCommand({
  summary: "Lists the browsers that you are logged in with, newest first",
  needs: "a credential",
  flags: {},
  examples: ["hearth session list", "hearth session list --json"],
  async run({ connect, json, output, terminal }) {
    const sessions = await (await connect()).sessions.list();
    if (json) output.json(sessions);
    else {
      output.table(
        ["ID", "SINCE", "BROWSER"],
        sessions.map(({ id, createdAt, about }) => [id, ago(createdAt, terminal.now()), about]),
        "You are logged in nowhere. Make a link: hearth login",
      );
    }
    return exitCodes.done;
  },
});

const end = defineCommand({
  summary: "Logs one browser out, within a second",
  needs: "a credential",
  args: [{ name: "SESSION" }],
  flags: {},
  examples: ["hearth session end ses_01h2xcejqtf2nbrexx3vqjhp41"],
  async run({ connect, json, output }, _flags, [id = ""]) {
    await (await connect()).sessions.end(readId("ses", id, "hearth session list"));
    if (json) output.json({ ended: id });
    else output.line(`ended ${id}`);
    return exitCodes.done;
  },
});

const endAll = defineCommand({
  summary: "Logs you out everywhere, within a second",
  needs: "a credential",
  flags: {},
  details: "Login links that were not opened yet work no more. Keys go on: hearth key revoke ends one.",
  examples: ["hearth session end-all", "hearth session end-all --json"],
  async run({ connect, json, output }) {
    const ended = await (await connect()).sessions.endAll();
    if (json) output.json({ ended });
    else output.line(tellEnded(ended));
    return exitCodes.done;
  },
});

/** "2 sessions ended" */
export const tellEnded = (count: number): string => `${count} ${count === 1 ? "session" : "sessions"} ended`;

export const session: Group = {
  kind: "group",
  summary: "Browsers that you are logged in with",
  verbs: { list, end, "end-all": endAll },
};
