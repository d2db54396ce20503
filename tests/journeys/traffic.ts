/**
 * Sources of messages for a house that is killed repeatedly. A source repeats each message until it
 * is accepted, as its platform would. Every message has a unique text.
 */
import { spend, until } from "@hearth/protocol/until";
import type { Chance } from "./chance.ts";
import type { Json } from "./daemon.ts";

/** The present address of the house. */
export interface Address {
  readonly url: string;
  readonly token: string;
}

export interface Accepted {
  readonly room: string;
  readonly text: string;
}

export interface Source {
  readonly name: string;
  /** Accepted messages, in the order of each room. */
  readonly accepted: readonly Accepted[];
  /** Sends until `over` aborts. Resolves when every sent message has been accepted. */
  run(over: AbortSignal): Promise<void>;
}

export interface PosterOptions {
  readonly room: string;
  readonly chance: Chance;
  /** `undefined` while no house runs. */
  readonly address: () => Address | undefined;
  readonly told: () => void;
}

/** Posts to one room over HTTP, one message after the other, each with an idempotency key. */
export const createPoster = ({ room, chance, address, told }: PosterOptions): Source => {
  const accepted: Accepted[] = [];
  const post = async ({ url, token }: Address, text: string): Promise<boolean> => {
    try {
      const response = await fetch(`${url}/api/rooms/${room}/messages`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ text, idempotencyKey: text }),
      });
      const answer: Json = await response.json();
      // 503 means that the house is starting or stopping, so retry. Other errors are permanent.
      if (response.status !== 201 && response.status !== 503) throw new Refused(JSON.stringify(answer));
      return response.status === 201;
    } catch (error) {
      if (error instanceof Refused) throw error;
      // The house died during the request; the message may have been stored.
      return false;
    }
  };
  return {
    name: `poster of ${room}`,
    accepted,
    async run(over) {
      for (let number = 1; !over.aborted; number += 1) {
        const text = `${room} ${number}`;
        await until(async () => {
          const house = address();
          return house !== undefined && (await post(house, text));
        });
        accepted.push({ room, text });
        told();
        await spend(chance.between(10, 120));
      }
    },
  };
};

export interface WriterOptions {
  /** The room of the conversation. */
  readonly room: string;
  readonly chance: Chance;
  /** Writes a message, which Telegram keeps until the house has stored it. */
  readonly say: (text: string) => void;
  readonly told: () => void;
}

/** Writes in a chat, whether or not a house runs. */
export const createWriter = ({ room, chance, say, told }: WriterOptions): Source => {
  const accepted: Accepted[] = [];
  return {
    name: `writer in ${room}`,
    accepted,
    async run(over) {
      for (let number = 1; !over.aborted; number += 1) {
        const text = `${room} ${number}`;
        say(text);
        accepted.push({ room, text });
        told();
        await spend(chance.between(20, 200));
      }
    },
  };
};

class Refused extends Error {}
