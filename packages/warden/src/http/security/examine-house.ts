/** Runs the security check on the house's present state. */
import type { SecurityReport } from "@hearth/protocol";
import { readView, type ViewSources } from "./read-view.ts";
import { examineSecurity } from "./security.ts";

/** Runs the check. `unseen` holds sentences about what these sources cannot show. */
export const examineHouse = async (sources: ViewSources, unseen: readonly string[] = []): Promise<SecurityReport> =>
  examineSecurity(await readView(sources), unseen);
