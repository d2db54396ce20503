/**
 * The table of observers. Its keys are the values of `[observers] to`. The module is loaded if an
 * observer is on.
 */
import type { ObserverKind } from "../config/text/observers-text.ts";
import { createLogObserver } from "./log-observer.ts";
import type { ObserverFactory } from "./observer.ts";
import { createOtlpObserver } from "./otlp.ts";
import { createPrometheusObserver } from "./prometheus.ts";

export const observers = {
  log: createLogObserver,
  prometheus: createPrometheusObserver,
  otlp: createOtlpObserver,
} as const satisfies Record<ObserverKind, ObserverFactory>;
