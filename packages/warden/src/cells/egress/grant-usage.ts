/** Counts the bytes that each activation has used of a grant with a limit. */
import { grantsFor, DEFAULT_PORTS } from "../../policy/index.ts";
import type { ActivationId, EgressGrant } from "@hearth/protocol";
import type { Ledger } from "./ledger.ts";

/** The remaining bytes of a grant for one activation, shared by all its requests. */
export interface Allowance {
  left(): number;
  use(bytes: number): void;
}

export interface GrantUsage {
  allowanceOf(activation: ActivationId, grant: EgressGrant): Promise<Allowance>;
  /**
   * Counts one more request. Returns whether it may be made. The limit bounds the rows of the
   * ledger.
   */
  countRequest(activation: ActivationId): boolean;
  /** Forgets the activation, which has ended. */
  forget(activation: ActivationId): void;
}

/** Maximum number of requests of one turn. */
export const MAX_REQUESTS = 10_000;
const UNLIMITED: Allowance = { left: () => Infinity, use: () => {} };

export const createGrantUsage = (ledger: Pick<Ledger, "list">): GrantUsage => {
  const usedByActivation = new Map<ActivationId, Map<string, Promise<{ bytes: number }>>>();

  const requests = new Map<ActivationId, number>();

  /** Returns the bytes that the activation used before this daemon started. */
  const usedBefore = async (activation: ActivationId, grant: EgressGrant): Promise<{ bytes: number }> => {
    let bytes = 0;
    for (const { host, port, method = "", path = "/", sentBytes, receivedBytes } of await ledger.list(activation)) {
      const scheme = port === DEFAULT_PORTS.http ? "http" : "https";
      const isSame = grantsFor([grant], { scheme, host, port, method, path: path.split("?")[0] ?? path }).length > 0;
      if (isSame) bytes += sentBytes + receivedBytes;
    }
    return { bytes };
  };

  return {
    async allowanceOf(activation, grant) {
      const { maxBytes } = grant;
      if (maxBytes === undefined) return UNLIMITED;
      const bytesByGrant = usedByActivation.get(activation) ?? new Map<string, Promise<{ bytes: number }>>();
      usedByActivation.set(activation, bytesByGrant);
      const key = JSON.stringify(grant);
      const loading = bytesByGrant.get(key) ?? usedBefore(activation, grant);
      bytesByGrant.set(key, loading);
      const count = await loading;
      return {
        left: () => maxBytes - count.bytes,
        use(bytes) {
          count.bytes += bytes;
        },
      };
    },
    countRequest(activation) {
      const requestCount = (requests.get(activation) ?? 0) + 1;
      requests.set(activation, requestCount);
      return requestCount <= MAX_REQUESTS;
    },
    forget(activation) {
      usedByActivation.delete(activation);
      requests.delete(activation);
    },
  };
};
