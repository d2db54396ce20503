/** What egress asks of whoever keeps secrets: what to put into a request, and what must not come back in its answer. */
import type { Wanted } from "../../policy/index.ts";
import type { AgentId } from "@hearth/protocol";

export interface Injection {
  /** Its name. */
  readonly secret: string;
  readonly header: string;
  readonly value: string;
}

/** Bytes go in, the same ones without secrets come out: some at once, what could be the beginning of one later. */
export interface Redactor {
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

export interface EgressSecrets {
  injectionsFor(agent: AgentId, to: Wanted): Promise<readonly Injection[]>;
  /** A new one for each text. Undefined: the agent has no secret that could come back. */
  redactorFor(agent: AgentId): Promise<(() => Redactor) | undefined>;
}

export const noSecrets: EgressSecrets = {
  injectionsFor: async () => [],
  redactorFor: async () => undefined,
};
