/** A job's webhook: whoever holds its key fires the job, and what they send is data for it. */
import type { JobHook } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { UsageError } from "../usage-error.ts";

export const hook = defineCommand({
  summary: "Switches a job's webhook on or off, or gives it another key",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: {
    on: { kind: "switch", summary: "switch it on; its key is shown once" },
    rotate: { kind: "switch", summary: "give it another key; the old one opens nothing any more" },
    off: { kind: "switch", summary: "switch it off, for good: its address and its key go" },
  },
  details:
    "Calls are signed as Standard Webhooks says: webhook-id, webhook-timestamp and webhook-signature. The body, JSON or text of at most 64 KiB, stands below the prompt as data.",
  examples: ["hearth job hook main news --on", "hearth job hook main news --rotate", "hearth job hook main news --off"],
  async run({ connect, json, output }, { on, rotate, off }, [agent = "", name = ""]) {
    if ([on, rotate, off].filter((one) => one).length !== 1)
      throw new UsageError("It takes one of --on, --rotate and --off.", "Such as hearth job hook main news --on");
    const client = await connect();
    const jobs = await client.jobs();
    if (off) {
      await jobs.closeHook(agent, name);
      if (json) output.json({ name, hook: false });
      else output.line(`the webhook of ${name} is off`);
      return exitCodes.done;
    }
    const opened = await (on ? jobs.openHook(agent, name) : jobs.rotateHook(agent, name));
    if (json) output.json(opened);
    else for (const line of tellHook(name, opened)) output.line(line);
    return exitCodes.done;
  },
});

const tellHook = (name: string, { path, secret }: JobHook): readonly string[] => [
  `the webhook of ${name}: POST ${path}, at any address that leads to this house`,
  `its key, shown this once: ${secret}`,
];
