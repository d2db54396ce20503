/** `hearth session`: lists, names, adds and ends the caller's browser sessions. */
import { type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readId } from "../args/ids.ts";
import { safeLine } from "../show/safe-text.ts";
import { formatAge, formatDuration } from "../show/time.ts";

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
        ["ID", "NAME", "SINCE", "LAST USE", "ADDRESS", "BROWSER"],
        sessions.map(({ id, name = "", createdAt, usedAt, address = "", about }) => [
          id,
          name,
          formatAge(createdAt, terminal.now()),
          formatAge(usedAt, terminal.now()),
          address,
          about,
        ]),
        "No browser sessions. To log in: hearth login",
      );
    }
    return exitCodes.done;
  },
});

const rename = defineCommand({
  summary: "Names a browser session",
  needs: "a credential",
  args: [{ name: "SESSION" }, { name: "NAME" }],
  flags: {},
  details: 'An empty name removes it: ""',
  examples: ["hearth session rename ses_01h2xcejqtf2nbrexx3vqjhp41 Kitchen"],
  async run({ connect, json, output }, _flags, [id = "", name = ""]) {
    const session = await (await connect()).sessions.edit(readId("ses", id, "hearth session list"), { name });
    if (json) output.json(session);
    else output.line(`${session.id} is named ${safeLine(session.name ?? "after its browser")}`);
    return exitCodes.done;
  },
});

const pair = defineCommand({
  summary: "Shows a link and a QR code that log another device of yours in",
  needs: "a credential",
  flags: {},
  details: "The link works once, within five minutes. Do not share it.",
  examples: ["hearth session pair", "hearth session pair --json"],
  async run({ connect, json, output, terminal }) {
    const pairing = await (await connect()).sessions.pair();
    if (json) output.json(pairing);
    else {
      const link = pairing.publicUrl ?? pairing.url;
      output.line(link);
      if (terminal.stdoutIsTerminal) {
        const { toQrLines } = await import("../show/qr-lines.ts");
        for (const line of toQrLines(link)) output.line(line);
      }
      output.note(`The link works once, within ${formatDuration(pairing.expiresAt - terminal.now())}.`);
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
    const endedCount = await (await connect()).sessions.endAll();
    if (json) output.json({ ended: endedCount });
    else output.line(describeEnded(endedCount));
    return exitCodes.done;
  },
});

/** Describes the effect, for example "2 sessions ended". */
export const describeEnded = (count: number): string => `${count} ${count === 1 ? "session" : "sessions"} ended`;

export const session: Group = {
  kind: "group",
  summary: "Lists, names, adds and ends your browser sessions",
  verbs: { list, rename, pair, end, "end-all": endAll },
};
