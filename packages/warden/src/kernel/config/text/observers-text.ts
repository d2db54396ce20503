/** The table `[observers]`: the receivers of measurements of turns. */
import { z } from "zod";
import type { SecretReference } from "../reference.ts";
import { Reference, createIssue, WebUrl } from "../values.ts";

/** The allowed values of `to`. */
export const observerKinds = ["log", "prometheus", "otlp"] as const;
export type ObserverKind = (typeof observerKinds)[number];

export interface ObserversConfig {
  /** The observers. Empty if nothing is measured. */
  readonly to: readonly ObserverKind[];
  readonly otlp: {
    readonly endpoint: string;
    readonly headers: Readonly<Record<string, SecretReference>>;
  };
}

const HeaderName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "is not the name of an HTTP header");

export const ObserversText = z
  .strictObject({
    to: z.array(z.enum(observerKinds)).default([]),
    otlp_endpoint: WebUrl.default("http://127.0.0.1:4318"),
    otlp_headers: z.record(HeaderName, Reference).default({}),
  })
  .check(({ value, issues }) => {
    if (new Set(value.to).size === value.to.length) return;
    issues.push(createIssue(value, "names an observer twice", "Name each observer once.", ["to"]));
  })
  .prefault({});

export const toObservers = (text: z.infer<typeof ObserversText>): ObserversConfig => ({
  to: text.to,
  otlp: { endpoint: text.otlp_endpoint, headers: text.otlp_headers },
});
