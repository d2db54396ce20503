/** Ends the daemon and waits until its process is gone. */
import { readFile } from "node:fs/promises";
import { defineCommand } from "../command.ts";
import { exitCodes } from "../exit-codes.ts";
import { readRunFacts } from "../home.ts";

const LOOK_MS = 20;
const SAY_MS = 1_000;
const GIVE_UP_MS = 60_000;

export const stop = defineCommand({
  summary: "Stops the house",
  needs: "x on the first house",
  flags: {},
  details: [
    "Ends the daemon and waits until it is gone. What runs is taken up at the next start.",
    "To stop agents and leave the house open: hearth agent stop AGENT, or hearth stop-all",
  ].join("\n"),
  examples: ["hearth stop", "hearth stop --home ~/work-house"],
  async run({ connect, home, elsewhere, json, output, terminal }) {
    const client = await connect();
    const { pid } = (elsewhere === undefined ? await readRunFacts(home) : undefined) ?? (await client.status());
    await client.stop();
    if (elsewhere !== undefined) {
      // Its process is on another machine, so nobody here can wait for it.
      if (json) output.json({ stopping: true, pid });
      else output.line("stopping");
      return exitCodes.done;
    }
    let waitedMs = 0;
    while (await isAlive(pid)) {
      if (waitedMs === SAY_MS) output.note(`Waiting for the daemon (process ${pid}) to finish what it is at ...`);
      if (waitedMs >= GIVE_UP_MS) {
        output.failure({
          message: `The daemon (process ${pid}) has been asked to stop and is still there.`,
          hint: `Its diary is ${home}/logs/hearth.log. To end it at once: kill -9 ${pid}; nothing is lost by that.`,
        });
        return exitCodes.failed;
      }
      await terminal.sleep(LOOK_MS);
      waitedMs += LOOK_MS;
    }
    if (json) output.json({ stopped: true, pid });
    else output.line("stopped");
    return exitCodes.done;
  },
});

const isAlive = async (pid: number): Promise<boolean> => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process: it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  // Ended, though whoever started it has not looked yet.
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return !/^\d+ \(.*\) Z/s.test(stat);
};
