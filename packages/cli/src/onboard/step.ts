/** One question of onboarding, and the records that the questions read. */
import { type Client, pickFirstAgent } from "@hearth/client";
import type { AgentRecord, HouseRecord, Me } from "@hearth/protocol";
import type { Answers } from "./answers.ts";
import type { Asker } from "./asker.ts";

export interface Situation {
  readonly client: Client;
  readonly me: Me["agent"];
  readonly house: HouseRecord;
  /** Undefined if the house has no bot. */
  readonly agent: AgentRecord | undefined;
  /** The time zone of the terminal. */
  readonly zone: string;
}

export const readSituation = async (client: Client, zone: string): Promise<Situation> => {
  const [{ agent: me, house }, agents] = await Promise.all([client.me(), client.agents.list()]);
  return { client, me, house, agent: pickFirstAgent(agents), zone };
};

/** Applies an answer and returns a line about the result. Throws `HearthError`. */
export type Apply = () => Promise<string>;

export interface Step {
  readonly name: keyof Answers;
  readonly title: string;
  /** Shown while an answer is applied. */
  readonly progressText: string;
  /** Describes the current settings. Resolves with undefined if there are none. */
  describe(situation: Situation): Promise<string | undefined>;
  /** Asks the question. Resolves with undefined if the person skipped it. */
  ask(situation: Situation, asker: Asker): Promise<Apply | undefined>;
  /** Reads the answer. Returns undefined if the file does not contain it. */
  applyFromFile(situation: Situation, answers: Answers): Apply | undefined;
}
