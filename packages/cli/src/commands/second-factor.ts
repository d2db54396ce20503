/**
 * `hearth second-factor`: shows, turns on and turns off the second factor, a code of an
 * authenticator app that logins need.
 */
import type { RecoveryCodes } from "@hearth/protocol";
import { UsageError } from "../args/usage-error.ts";
import { type Context, type Group, defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { withoutAt } from "../show/agent-list.ts";
import { safeLine } from "../show/safe-text.ts";
import { localTime } from "../show/time.ts";

const show = defineCommand({
  summary: "Shows whether logins of a person need a code",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "PERSON", optional: true }],
  flags: {},
  details: "Without PERSON, shows your own.",
  examples: ["hearth second-factor show", "hearth second-factor show ana --json"],
  async run({ connect, json, output }, _flags, [personName]) {
    const client = await connect();
    const { id } =
      personName === undefined ? (await client.me()).agent : await client.agents.get(withoutAt(personName));
    const state = await (await client.secondFactors()).show(id);
    if (json) output.json(state);
    else {
      output.facts([
        ["second factor", state.since === undefined ? "off" : `on since ${localTime(state.since)}`],
        ["recovery codes left", state.isOn ? String(state.recoveryCodesLeft) : undefined],
      ]);
    }
    return exitCodes.done;
  },
});

const on = defineCommand({
  summary: "Turns your second factor on, with an authenticator app",
  needs: "a credential",
  flags: {},
  details:
    "Shows a QR code for the app, asks for the app's first code, and shows recovery codes once. From then on, logins need a code. Needs a terminal.",
  examples: ["hearth second-factor on"],
  async run(context) {
    const { connect, output, terminal } = context;
    requireTerminal(context);
    const client = await connect();
    const factors = await client.secondFactors();
    const { needsCurrent } = await factors.show((await client.me()).agent.id);
    const currentPassword = needsCurrent ? await terminal.readSecret("Your current password: ") : undefined;
    const proof = currentPassword === undefined ? {} : { current: currentPassword };
    const { setup, secret, uri } = await factors.begin(proof);
    const { toQrLines } = await import("../show/qr-lines.ts");
    for (const line of toQrLines(uri)) output.line(line);
    output.line(`Scan this code with an authenticator app, or enter this key there: ${secret}`);
    const code = await terminal.readSecret("The code that the app shows: ");
    printCodes(context, await factors.confirm({ setup, code }));
    return exitCodes.done;
  },
});

const codes = defineCommand({
  summary: "Replaces your recovery codes, and shows the new ones once",
  needs: "a credential",
  flags: {},
  details: "The old codes stop working. Needs a terminal, which asks for a code.",
  examples: ["hearth second-factor codes", "hearth second-factor codes --json"],
  async run(context) {
    requireTerminal(context);
    const factors = await (await context.connect()).secondFactors();
    const code = await context.terminal.readSecret("Code of your authenticator app, or a recovery code: ");
    printCodes(context, await factors.renew({ code }));
    return exitCodes.done;
  },
});

const off = defineCommand({
  summary: "Turns a person's second factor off",
  needs: "x on the agent's house, or the agent itself",
  args: [{ name: "PERSON", optional: true }],
  flags: {},
  details: [
    "For a person who lost their app and their recovery codes. Their logins then need no code until they set it up again.",
    "Without PERSON, turns your own off. Run that on the machine of the house, without HEARTH_KEY.",
  ].join("\n"),
  examples: ["hearth second-factor off ana", "hearth second-factor off"],
  async run({ connect, json, output }, _flags, [personName]) {
    const client = await connect();
    const { id, handle } =
      personName === undefined ? (await client.me()).agent : await client.agents.get(withoutAt(personName));
    const state = await (await client.secondFactors()).remove(id);
    if (json) output.json(state);
    else output.line(`@${safeLine(handle)} has no second factor`);
    return exitCodes.done;
  },
});

const requireTerminal = ({ terminal }: Context): void => {
  if (terminal.stdinIsTerminal) return;
  throw new UsageError("This command asks for a code, and there is no terminal.", "Run it at a terminal.");
};

const printCodes = ({ json, output }: Context, { recoveryCodes }: RecoveryCodes): void => {
  if (json) return output.json({ recoveryCodes });
  output.line("Recovery codes. Each works once, in place of a code of the app. They are shown only here:");
  for (const code of recoveryCodes) output.line(`  ${code}`);
};

export const secondFactor: Group = {
  kind: "group",
  summary: "Manages second factors: codes of an authenticator app for logins",
  verbs: { show, on, codes, off },
};
