/** Health checks for monitors. */
import { Health } from "../house/health.ts";
import { operations } from "./operation.ts";

export const healthOperations = operations("Health", {
  health: {
    id: "health",
    method: "GET",
    path: "/healthz",
    needs: "nothing",
    summary: "Returns whether the daemon is alive",
    answers: { status: 200, schema: Health },
  },
  readiness: {
    id: "readiness",
    method: "GET",
    path: "/readyz",
    needs: "nothing",
    summary: "Returns whether the daemon takes work",
    description: "`degraded`: it takes work, but a background reader is failing. `hearth doctor` names it.",
    answers: { status: 200, schema: Health },
    otherwise: { status: 503, schema: Health, text: "Not ready." },
  },
});
