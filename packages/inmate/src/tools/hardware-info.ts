/** Describes the hardware that commands run on. */
import { type RunTool, success } from "./tool.ts";

export const hardwareInfo: RunTool<"hardware_info"> = async (_input, { machine }) => {
  const { system, processors, processor, memory, freeMemory, disk, freeDisk } = await machine.describe();
  return success(
    [
      `system: ${system}`,
      `processors: ${processors} (${processor})`,
      `memory: ${toMiB(freeMemory)} of ${toMiB(memory)} MiB free`,
      `disk: ${toMiB(freeDisk)} of ${toMiB(disk)} MiB free`,
    ].join("\n"),
  );
};

const toMiB = (bytes: number): number => Math.floor(bytes / 1024 / 1024);
