/** `hearth login`: creates a single-use link that logs a browser in. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { formatDuration } from "../show/time.ts";
import { withCode } from "./second-code.ts";

export const login = defineCommand({
  summary: "Creates a single-use link that logs a browser in",
  needs: "x on the first house",
  flags: {},
  details:
    "The first browser that opens the link is logged in as you. Do not share it. If you have a second factor, the command asks for a code.",
  examples: ["hearth login", "hearth login --json"],
  async run({ connect, json, output, terminal }) {
    const client = await connect();
    const link = await withCode(terminal, (code) => client.loginLink(code === undefined ? {} : { code }));
    if (json) output.json(link);
    else {
      output.line(link.url);
      if (link.publicUrl !== undefined) output.line(`or, from another machine: ${link.publicUrl}`);
      output.note(`The link works once, within ${formatDuration(link.expiresAt - terminal.now())}.`);
    }
    return exitCodes.done;
  },
});
