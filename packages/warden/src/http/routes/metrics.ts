/** Measurements of turns, and the state of the house, for Prometheus. */
import { exposeGauge } from "../../kernel/lazy.ts";
import type { Principal } from "../../people/index.ts";
import { type BackupState, HearthError } from "@hearth/protocol";
import { metricsOperations } from "@hearth/protocol/operations";
import { textAnswer } from "../answer.ts";
import { isInTrouble } from "../backups.ts";
import { type App, bind, type RouteOptions } from "./route.ts";

/** Returns the holder whose levels decide. The scope of a key for metrics has no levels, so those of its agent do. */
const holderOf = (principal: Principal): Principal => {
  if (principal.scope?.only !== "metrics") return principal;
  const { scope: _, ...holder } = principal;
  return holder;
};

/** Returns the gauges of backups. An alert can compare the time with the present, without a rule per interval. */
const gaugesOfBackups = (places: readonly BackupState[]): readonly string[] => {
  if (places.length === 0) return [];
  const toSamples = (valueOf: (place: BackupState) => number) =>
    places.map((place) => [{ target: place.target ?? "" }, valueOf(place)] as const);
  return [
    exposeGauge(
      "hearth_backup_last_timestamp_seconds",
      "When the newest complete backup was made; 0 if none is known.",
      toSamples(({ last }) => (last?.at ?? 0) / 1000),
    ),
    exposeGauge(
      "hearth_backup_ok",
      "1 while backups are made on time, 0 when one is late or failed.",
      toSamples((place) => (isInTrouble(place) ? 0 : 1)),
    ),
  ];
};

export const metricsRoutes = (app: App, options: RouteOptions): void => {
  const { access, areas } = options;

  bind(app, options, metricsOperations, {
    async read({ principal }) {
      await access.require(holderOf(principal), "x", access.home);
      const metricsText = areas.kernel.telemetry.expose();
      if (metricsText === undefined)
        throw new HearthError("request.not-found", "The observer `prometheus` is off.", {
          hint: `Turn it on: hearth config set 'observers.to=["prometheus"]'`,
        });
      const { version, activations, cells } = await areas.reports.status();
      const gauges = [
        exposeGauge("hearth_info", "The version of Hearth.", [[{ version }, 1]]),
        exposeGauge("hearth_activations", "Turns that wait or run.", [
          [{ state: "queued" }, activations.queued],
          [{ state: "running" }, activations.running],
        ]),
        exposeGauge("hearth_cells", "Open sandboxes.", [[{}, cells.length]]),
        ...gaugesOfBackups(await areas.reports.backups()),
      ];
      return textAnswer(metricsText + gauges.join(""), "text/plain; version=0.0.4; charset=utf-8");
    },
  });
};
