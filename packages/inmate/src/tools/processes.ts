/** Lists, reads and stops background commands. */
import { HearthError } from "@hearth/protocol";
import type { BackgroundEntry } from "./background.ts";
import { describeEnd } from "./command.ts";
import { plainText } from "./terminal.ts";
import { type RunTool, success } from "./tool.ts";

export const processes: RunTool<"processes"> = async ({ id, stop = false }, { backgroundCommands }) => {
  if (id === undefined) {
    if (stop) throw new HearthError("tool.invalid", "Set `id` to the command to stop.");
    const entries = backgroundCommands.list();
    return success(entries.length === 0 ? "Nothing runs in the background." : entries.map(describe).join("\n"));
  }
  const isStopped = stop && (await backgroundCommands.stop(id));
  const entry = backgroundCommands.readOutput(id);
  if (entry === undefined)
    throw new HearthError("tool.invalid", `There is no background command ${id}.`, {
      hint: "Omit `id` to list them.",
    });
  const output = plainText(entry.output).trimEnd() || "[no new output]";
  const note = isStopped ? "[stopped]" : entry.result === undefined ? `[runs, ${seconds(entry)} s]` : endOf(entry);
  return success(`${output}\n${note}`);
};

const describe = (entry: BackgroundEntry): string =>
  `${entry.id}: ${entry.result === undefined ? `runs, ${seconds(entry)} s` : endOf(entry)}: ${oneLine(entry.command)}`;

const endOf = (entry: BackgroundEntry): string =>
  (entry.result === undefined ? "" : describeEnd(entry.result, seconds(entry))) || "[exit 0]";

const seconds = ({ durationMs }: BackgroundEntry): number => Math.round(durationMs / 1000);

const MAX_COMMAND_LENGTH = 200;
const oneLine = (command: string): string =>
  command.replace(/\s+/g, " ").trim().slice(0, MAX_COMMAND_LENGTH).toWellFormed();
