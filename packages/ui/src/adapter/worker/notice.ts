/** Parses messages that the house sent through a push service. Pure. */
import { SHELL } from "./answers.ts";

export interface Notice {
  readonly title: string;
  readonly body: string;
  /** Below `/ui`. */
  readonly path: string;
  readonly tag: string;
  /** How many approvals wait for the person. */
  readonly pending: number | undefined;
}

/** Parses a message. Every text results in a notice, because browsers require a notification for each push. */
export const readNotice = (text: string): Notice => {
  const { title, body, path, tag, pending } = parse(text);
  return {
    title: typeof title === "string" ? title : "Hearth",
    body: typeof body === "string" ? body : "",
    path: typeof path === "string" ? path : "/",
    tag: typeof tag === "string" ? tag : "hearth",
    pending: typeof pending === "number" ? pending : undefined,
  };
};

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};

/** Returns the address of a page of the UI. For a path outside the UI, returns the start page. */
export const pageOf = (path: unknown, origin: string): string => {
  const url = new URL(typeof path === "string" ? `${SHELL}${path.replace(/^\/+/, "")}` : SHELL, origin);
  return url.origin === origin && url.pathname.startsWith(SHELL) ? url.href : new URL(SHELL, origin).href;
};
