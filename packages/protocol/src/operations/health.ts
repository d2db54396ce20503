/** Health checks for monitors. */
import { z } from "zod";
import { Health } from "../house/reports.ts";
import { declareOperations } from "./operation.ts";

export const healthOperations = declareOperations("Health", {
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
    description:
      "`degraded`: it takes work, but a background reader is failing, or the tunnel is closed or does not reach the house. `failing` names the part, and `hearth doctor` has the details.",
    answers: { status: 200, schema: Health },
    otherwise: { status: 503, schema: Health, text: "Not ready." },
  },
});

/** Measurements for monitors. They need a credential. */
export const metricsOperations = declareOperations("Health", {
  read: {
    id: "metrics",
    method: "GET",
    path: "/metrics",
    needs: "credential",
    summary: "Returns measurements of turns in the text format of Prometheus",
    description:
      "Needs `x` on the first house, or a key with the scope `only: metrics` of an agent that has it. Contains no text and no names of people, agents or rooms. Not found while the observer `prometheus` is off.",
    answers: { status: 200, schema: z.string(), type: "text/plain" },
    errors: ["request.not-found"],
  },
});
