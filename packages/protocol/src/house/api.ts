/**
 * The schemas of requests and answers that only the API needs. The main entry exports their types;
 * code that parses with them imports this entry, so that a start of the house does not load them.
 */
export * from "../agents/agent-state.ts";
export * from "../agents/prompt.ts";
export * from "../agents/workspace.ts";
export * from "./activations.ts";
export * from "./backups.ts";
export * from "./fate.ts";
export * from "./imports.ts";
export * from "./media.ts";
export * from "./messages.ts";
export * from "./providers.ts";
export * from "./records.ts";
export * from "./reports.ts";
export * from "./requests.ts";
export * from "./restore.ts";
export * from "./search.ts";
export * from "./security.ts";
export * from "./settings.ts";
export * from "./socket.ts";
export * from "./streams.ts";
export * from "../people/push.ts";
