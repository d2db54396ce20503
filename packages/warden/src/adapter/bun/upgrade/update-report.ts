/**
 * Reports what the next start of the installed version updates, and the copy to which a rollback
 * returns. Changes nothing.
 */
import { readFileSync } from "node:fs";
import { isHearthError, type UpdateReport } from "@hearth/protocol";
import { planUpgrade } from "./plan.ts";
import { planRollback } from "./rollback.ts";

const PACKAGE = new URL("../../../../package.json", import.meta.url);

export const reportUpdate = (home: string): Omit<UpdateReport, "running"> => {
  const { from, to, steps, neededBytes, freeBytes, estimatedMs, openTurns, problems } = planUpgrade({ home });
  const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { readonly version: string };
  const copy = findCopy(home);
  return {
    installed: version,
    from,
    to,
    neededBytes,
    freeBytes,
    estimatedMs,
    openTurns,
    steps: [...steps],
    problems: [...problems],
    ...(copy === undefined ? {} : { copy }),
  };
};

const findCopy = (home: string): UpdateReport["copy"] => {
  try {
    const { to, copiedAt, lost } = planRollback(home);
    return { schema: to, at: copiedAt, ...lost };
  } catch (error) {
    if (isHearthError(error, "backup.not-found")) return undefined;
    throw error;
  }
};
