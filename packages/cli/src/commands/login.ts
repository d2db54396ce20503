/** A way into the house for a browser: a new link, good once. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { span } from "../time.ts";

export const login = defineCommand({
  summary: "Makes a link that logs a browser in, once",
  needs: "x on the first house",
  flags: {},
  details: "Whoever opens the link first is logged in as you: do not pass it on.",
  examples: ["hearth login", "hearth login --json"],
  async run({ connect, json, output, terminal }) {
    const link = await (await connect()).loginLink();
    if (json) output.json(link);
    else {
      output.line(link.url);
      output.note(`Good once, within ${span(link.expiresAt - terminal.now())}.`);
    }
    return exitCodes.done;
  },
});
