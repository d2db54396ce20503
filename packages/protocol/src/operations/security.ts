/** Operations that review the settings of a house. */
import { SecurityReport } from "../house/security.ts";
import { declareOperations } from "./operation.ts";

export const securityOperations = declareOperations("House", {
  report: {
    id: "security",
    method: "GET",
    path: "/api/security",
    needs: "x on home",
    summary: "Reports settings that are more open than necessary, with instructions",
    description: "Examines records, keys, grants, the config, files of the home and every row of the audit log.",
    answers: { status: 200, schema: SecurityReport },
  },
});
