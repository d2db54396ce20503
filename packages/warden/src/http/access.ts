/**
 * Who may reach what through the port. People have the run of the house. A bot reads what it takes part in, and speaks;
 * it changes no records, keys, providers or other bots, so that whoever steers it gains nothing by it.
 */
import {
  type Activation,
  type ActivationId,
  type AgentRecord,
  HearthError,
  type HearthRecord,
  type StreamName,
} from "@hearth/protocol";
import type { Activations } from "../activations/activations.ts";
import type { Principal } from "../identity/principal.ts";
import type { Records } from "../identity/records.ts";

export interface Access {
  /** The agent that the principal stands for. */
  self(principal: Principal): Promise<AgentRecord>;
  /** Throws `auth.denied` unless a person asks. */
  requirePerson(principal: Principal): Promise<AgentRecord>;
  /** Throws `auth.denied` unless these see the record. */
  requireRecord(principal: Principal, record: HearthRecord): Promise<void>;
  /** Throws `auth.denied` unless these see, and may stop, the activation. */
  requireActivation(principal: Principal, activation: Activation): Promise<void>;
  /** Throws unless the stream's owner is there and the stream is open to the principal. */
  requireStream(principal: Principal, stream: StreamName): Promise<void>;
}

export interface AccessOptions {
  readonly records: Records;
  readonly activations: Activations;
}

export const createAccess = ({ records, activations }: AccessOptions): Access => {
  const self = (principal: Principal): Promise<AgentRecord> => records.get("agent", principal.agent);

  const requireRecord = async (principal: Principal, record: HearthRecord): Promise<void> => {
    if (!sees(await self(principal), record)) throw denied();
  };

  const requireActivation = async (principal: Principal, activation: Activation): Promise<void> => {
    if (activation.agent !== principal.agent && !isPerson(await self(principal))) throw denied();
  };

  return {
    self,
    requireRecord,
    requireActivation,
    async requirePerson(principal) {
      const agent = await self(principal);
      if (!isPerson(agent)) throw denied();
      return agent;
    },
    async requireStream(principal, stream) {
      const at = stream.indexOf(":");
      const owner = stream.slice(at + 1);
      switch (stream.slice(0, at)) {
        case "deltas":
          return requireActivation(principal, await activations.get(owner as ActivationId));
        case "agent": {
          const { id } = await records.get("agent", owner);
          if (id !== principal.agent && !isPerson(await self(principal))) throw denied();
          return;
        }
        case "house":
          await records.get("house", owner);
          if (!isPerson(await self(principal))) throw denied();
          return;
        default:
          return requireRecord(principal, await records.get("room", owner));
      }
    },
  };
};

const isPerson = (agent: AgentRecord): boolean => agent.content.kind === "human";

/** A room without a list of members is open to everyone in its house. */
export const sees = (agent: AgentRecord, record: HearthRecord): boolean =>
  isPerson(agent) ||
  (record.house === agent.house &&
    (record.type !== "room" || record.content.members === undefined || record.content.members.includes(agent.id)));

const denied = (): HearthError =>
  new HearthError("auth.denied", "The agent of this key may not do that.", {
    hint: "Use the key or the login of a person.",
  });
