/**
 * `hearth job hook`: manages a job's webhook. A signed call fires the job and passes its body as
 * data.
 */
import type { JobHook } from "@hearth/protocol";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { UsageError } from "../args/usage-error.ts";

export const hook = defineCommand({
  summary: "Turns a job's webhook on or off, or rotates its key",
  needs: "x on the agent's house",
  args: [{ name: "AGENT" }, { name: "JOB" }],
  flags: {
    on: { kind: "switch", summary: "turn the webhook on; its key is shown once" },
    rotate: { kind: "switch", summary: "replace the key; the old key stops working" },
    off: { kind: "switch", summary: "turn the webhook off and delete its address and key" },
  },
  details:
    "Sign calls as Standard Webhooks specifies, with webhook-id, webhook-timestamp and webhook-signature. The body, JSON or text of at most 64 KiB, is added below the prompt as data.",
  examples: ["hearth job hook main news --on", "hearth job hook main news --rotate", "hearth job hook main news --off"],
  async run({ connect, json, output }, { on, rotate, off }, [agent = "", name = ""]) {
    if ([on, rotate, off].filter((flag) => flag).length !== 1)
      throw new UsageError(
        "Give exactly one of --on, --rotate and --off.",
        "For example: hearth job hook main news --on",
      );
    const client = await connect();
    const jobs = await client.jobs();
    if (off) {
      await jobs.closeHook(agent, name);
      if (json) output.json({ name, hook: false });
      else output.line(`the webhook of ${name} is off`);
      return exitCodes.done;
    }
    const jobHook = await (on ? jobs.openHook(agent, name) : jobs.rotateHook(agent, name));
    if (json) output.json(jobHook);
    else for (const line of describeHook(name, jobHook)) output.line(line);
    return exitCodes.done;
  },
});

const describeHook = (name: string, { path, secret }: JobHook): readonly string[] => [
  `the webhook of ${name}: POST ${path}, at any address of this house`,
  `its key, shown only once: ${secret}`,
];
