/** The question about the first chat platform. */
import { type ChannelInfo, HearthError } from "@hearth/protocol";
import type { Answers } from "./answers.ts";
import type { Apply, Situation, Step } from "./step.ts";

/** `key` is the token that a person typed. A file of answers contains only references. */
type Answer =
  | NonNullable<Answers["channel"]>
  | { readonly kind: string; readonly name?: string; readonly baseUrl?: string; readonly key: string };

const SKIP = "skip";

const listChannels = async ({ client }: Situation): Promise<readonly ChannelInfo[]> => (await client.channels()).list();

/**
 * Creates the function that adds the channel. It removes the channel again if the platform rejects
 * the token.
 */
const createApply =
  (situation: Situation, answer: Answer): Apply =>
  async () => {
    const { kind, name = kind, baseUrl } = answer;
    const channels = await situation.client.channels();
    const isPresent = (await channels.list()).some((channel) => channel.name === name);
    if (!isPresent)
      await channels.create({
        name,
        kind,
        ...(baseUrl === undefined ? {} : { baseUrl }),
        ...("key" in answer ? { token: answer.key } : { tokenReference: answer.token }),
        ...(situation.agent === undefined ? {} : { agent: situation.agent.handle }),
      });
    const { ok, detail } = await channels.test(name);
    if (!ok) {
      if (!isPresent) await channels.remove(name);
      // The detail already says what to do, so there is no hint.
      throw new HearthError("channel.failed", `The test of ${name} failed: ${detail}`);
    }
    return `${name} works: ${detail} Write to it from your phone. It answers with a code: hearth pairing approve CODE --as ${situation.me.handle}`;
  };

export const channelStep: Step = {
  name: "channel",
  title: "Chat platform",
  progressText: "Asking the platform",
  async describe(situation) {
    const channels = await listChannels(situation);
    return channels.length === 0 ? undefined : channels.map(({ name, state }) => `${name} (${state})`).join(", ");
  },
  async ask(situation, asker) {
    const choice = await asker.choose(
      "Where else should your agent answer?",
      [
        { value: SKIP, label: "Skip: in the browser and the terminal only" },
        { value: "telegram", label: "Telegram", hint: "needs the token of a bot" },
      ],
      SKIP,
    );
    if (choice === SKIP) return undefined;
    const key = await asker.secret("The token of your bot (@BotFather creates one)");
    if (key === undefined) return undefined;
    const names = (await listChannels(situation)).map(({ name }) => name);
    const numberedNames = Array.from({ length: 99 }, (_, index) => `${choice}-${index + 2}`);
    const name = [choice, ...numberedNames].find((candidate) => !names.includes(candidate));
    return createApply(situation, { kind: choice, key, ...(name === undefined ? {} : { name }) });
  },
  applyFromFile: (situation, { channel }) => (channel === undefined ? undefined : createApply(situation, channel)),
};
