/** `hearth stop`: stops the daemon and waits until its process has ended. */
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { isAlive, readRunFacts } from "../home.ts";

const POLL_INTERVAL_MS = 20;
const NOTE_AFTER_MS = 1_000;
const STOP_TIMEOUT_MS = 60_000;

export const stop = defineCommand({
  summary: "Stops the house",
  needs: "x on the first house",
  flags: {},
  details: [
    "Stops the daemon and waits until it has ended. Running turns continue at the next start.",
    "To stop agents but keep the daemon running: hearth agent stop AGENT, or hearth stop-all",
  ].join("\n"),
  examples: ["hearth stop", "hearth stop --home ~/work-house"],
  async run({ connect, home, elsewhere, json, output, terminal }) {
    const client = await connect();
    const { pid } = (elsewhere === undefined ? await readRunFacts(home) : undefined) ?? (await client.status());
    await client.stop();
    if (elsewhere !== undefined) {
      // The process is on another machine, so this command cannot wait for it.
      if (json) output.json({ stopping: true, pid });
      else output.line("stopping");
      return exitCodes.done;
    }
    let waitedMs = 0;
    while (isAlive(pid)) {
      if (waitedMs === NOTE_AFTER_MS) output.note(`Waiting for the daemon (process ${pid}) to finish its work ...`);
      if (waitedMs >= STOP_TIMEOUT_MS) {
        output.failure({
          message: `The daemon (process ${pid}) was asked to stop 60 seconds ago and still runs.`,
          hint: `See its log: ${home}/logs/hearth.log. To end it at once, without losing data: kill -9 ${pid}`,
        });
        return exitCodes.failed;
      }
      await terminal.sleep(POLL_INTERVAL_MS);
      waitedMs += POLL_INTERVAL_MS;
    }
    if (json) output.json({ stopped: true, pid });
    else output.line("stopped");
    return exitCodes.done;
  },
});
