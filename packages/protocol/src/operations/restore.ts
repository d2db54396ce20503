/** Operations on the hold of a restored house. */
import { DecideRestore, RestoreState } from "../house/restore.ts";
import { declareOperations } from "./operation.ts";

export const restoreOperations = declareOperations("House", {
  state: {
    id: "readRestore",
    method: "GET",
    path: "/api/restore",
    needs: "x on home",
    summary: "Returns whether the house is on hold after a restore, and what it would repeat",
    answers: { status: 200, schema: RestoreState },
  },
  decide: {
    id: "decideRestore",
    method: "POST",
    path: "/api/restore",
    needs: "x on home",
    summary: "Ends the hold of a restored house",
    description:
      "`continue` runs all queued work, including work that may have been done before. `discard` drops queued work.",
    body: DecideRestore,
    answers: { status: 200, schema: RestoreState },
    errors: ["record.version"],
  },
});
