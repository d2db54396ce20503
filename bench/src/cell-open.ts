/** Measures the opening of a cell: from the request until its inmate says hello. */
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
    // The first opening prepares files that later ones use, so it does not count.
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
  // An emulated machine switches threads all the time, so other load on this machine slows it down.
  const note = `median, including the request; best ${show(Math.min(...times))}`;
  return {
    what,
    value: median(times),
    unit: "ms",
    samples: times.length,
    note,
    ...(target === undefined ? {} : { target }),
  };
};
