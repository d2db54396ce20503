/** The table of observers: its keys are the values of `[observers] to`. Loaded when one is on. */
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
