/** `hearth session`: lists and ends the caller's browser sessions. */
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { ago } from "../show/time.ts";

const list = defineCommand({
  summary: "Lists your browser sessions, newest first",
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
        "No browser sessions. To log in: hearth login",
      );
    }
    return exitCodes.done;
  },
});

const end = defineCommand({
  summary: "Ends a browser session within a second",
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
  summary: "Ends all your browser sessions within a second",
  needs: "a credential",
  flags: {},
  details: "Unused login links stop working too. Keys keep working; to revoke a key: hearth key revoke KEY",
  examples: ["hearth session end-all", "hearth session end-all --json"],
  async run({ connect, json, output }) {
    const ended = await (await connect()).sessions.endAll();
    if (json) output.json({ ended });
    else output.line(describeEnded(ended));
    return exitCodes.done;
  },
});

/** "2 sessions ended" */
export const describeEnded = (count: number): string => `${count} ${count === 1 ? "session" : "sessions"} ended`;

export const session: Group = {
  kind: "group",
  summary: "Lists and ends your browser sessions",
  verbs: { list, end, "end-all": endAll },
};
