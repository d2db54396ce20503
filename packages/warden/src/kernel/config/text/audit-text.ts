/** The table `[audit]`: where copies of the audit log go. */
import { z } from "zod";
import type { SecretReference } from "../reference.ts";
import { Reference, createIssue } from "../values.ts";
import { isLoopback } from "./server-text.ts";

export type AuditTargetConfig =
  /** Absolute path of a file to which rows are appended. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "http"; readonly url: string; readonly headers: Readonly<Record<string, SecretReference>> }
  | SyslogTarget;

interface SyslogTarget {
  readonly kind: "syslog";
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  /**
   * Absolute path of the certificate of a private authority, in PEM. Absent for the system's
   * authorities.
   */
  readonly authority?: string;
}

export interface AuditConfig {
  /** By name. */
  readonly targets: ReadonlyMap<string, AuditTargetConfig>;
}

const HeaderName = z.string().regex(/^[A-Za-z0-9-]{1,64}$/, "is not the name of an HTTP header");
const TargetName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be a name of small letters, digits and hyphens");

const EXAMPLES = "file:///PATH, https://HOST/PATH, syslog+tls://HOST:6514 or syslog+tcp://HOST:PORT";

const TargetText = z
  .strictObject({ to: z.string(), headers: z.record(HeaderName, Reference).default({}) })
  .transform((text, { issues }): AuditTargetConfig => {
    const target = parseTarget(text.to, text.headers);
    if (target === undefined)
      issues.push(createIssue("", "is not a place for audit rows", `Write ${EXAMPLES}.`, ["to"]));
    else if (target.kind === "http" || Object.keys(text.headers).length === 0) return target;
    else issues.push(createIssue("", "are sent over HTTP only", "Remove them.", ["headers"]));
    return z.NEVER;
  });

export const AuditText = z.strictObject({ targets: z.record(TargetName, TargetText).default({}) }).prefault({});

export const toAudit = (text: z.infer<typeof AuditText>): AuditConfig => ({
  targets: new Map(Object.entries(text.targets)),
});

/**
 * Parses the address of a target. Audit rows name people and rooms, so they leave the machine
 * encrypted, except over syslog without TLS.
 */
const parseTarget = (to: string, headers: Readonly<Record<string, SecretReference>>): AuditTargetConfig | undefined => {
  const url = URL.canParse(to) ? new URL(to) : undefined;
  if (url === undefined || url.username !== "" || url.password !== "" || url.hash !== "") return undefined;
  const host = url.hostname.replace(/[[\]]/g, "");
  switch (url.protocol) {
    case "file:":
      return host === "" && url.search === "" && !url.pathname.endsWith("/")
        ? { kind: "file", path: decodeURIComponent(url.pathname) }
        : undefined;
    case "https:":
    case "http:":
      return url.protocol === "https:" || isLoopback(host) ? { kind: "http", url: url.href, headers } : undefined;
    case "syslog+tls:":
    case "syslog+tcp:":
      return parseSyslog(url, host);
    default:
      return undefined;
  }
};

const parseSyslog = (url: URL, host: string): SyslogTarget | undefined => {
  if (host === "" || url.port === "" || !/^\/?$/.test(url.pathname)) return undefined;
  const isEncrypted = url.protocol === "syslog+tls:";
  const target = { kind: "syslog", host, port: Number(url.port), isEncrypted } as const;
  if (url.search === "") return target;
  const authority = url.searchParams.get("ca");
  const isValid = isEncrypted && url.searchParams.size === 1 && authority?.startsWith("/") === true;
  return isValid ? { ...target, authority } : undefined;
};
