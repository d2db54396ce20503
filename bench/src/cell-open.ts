/** What it takes until a cell of a kind is there: from the request that opens it to its inmate's hello. */
import { isHearthError } from "@hearth/protocol";
import type { Finding, Target } from "./bench.ts";
import type { MeasuredKind } from "./cell-kinds.ts";
import { sharedNow } from "./clock.ts";
import type { House } from "./house.ts";
import { median } from "./statistics.ts";
import { show } from "./table.ts";

const OPENINGS = 15;

export const openCells = async (
  { client }: House,
  kind: MeasuredKind,
  target: Target | undefined,
): Promise<Finding> => {
  const what = `${kind}: open to hello`;
  await client.agents.update("main", { content: { cell: kind } });
  const room = await client.agents.room("main");
  const times: number[] = [];
  try {
    // The first one makes what the others start from.
    for (let count = 0; count <= OPENINGS; count += 1) {
      const begin = sharedNow();
      await client.cells.open("main", room.id);
      if (count > 0) times.push(sharedNow() - begin);
      await client.cells.close("main");
    }
  } catch (error) {
    if (isHearthError(error, "cell.unavailable")) return { what, skipped: error.message };
    throw error;
  }
  // A machine that is emulated hands over between threads all the time: each waits for whoever else computes here.
  const note = `median, with the request that opens it; best ${show(Math.min(...times))}`;
  return {
    what,
    value: median(times),
    unit: "ms",
    samples: times.length,
    note,
    ...(target === undefined ? {} : { target }),
  };
};
