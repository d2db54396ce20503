/**
 * The interface of the vault for egress: which secrets are put into a request, and which must not
 * appear in its response.
 */
import type { RequestTarget } from "../../policy/index.ts";
import type { AgentId } from "@hearth/protocol";

export interface Injection {
  /** The secret's name. */
  readonly secret: string;
  readonly header: string;
  readonly value: string;
}

/**
 * Removes secrets from a stream of bytes. Bytes that may begin a secret are held back until this is
 * decided.
 */
export interface Redactor {
  push(bytes: Uint8Array): Uint8Array;
  end(): Uint8Array;
}

export interface EgressSecrets {
  injectionsFor(agent: AgentId, to: RequestTarget): Promise<readonly Injection[]>;
  /**
   * Returns a function that creates a redactor for each text, or undefined if the agent has no
   * secret that a response could contain.
   */
  redactorFor(agent: AgentId): Promise<(() => Redactor) | undefined>;
}

export const noSecrets: EgressSecrets = {
  injectionsFor: async () => [],
  redactorFor: async () => undefined,
};
