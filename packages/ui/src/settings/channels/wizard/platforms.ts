/** The chat platforms that the wizard can connect, each with the way to get its token. */
import * as texts from "./text.ts";

export interface Platform {
  /** The kind of the channel, such as `telegram`. */
  readonly kind: string;
  readonly title: string;
  readonly detail: string;
  readonly tokenLabel: string;
  /** The steps on the platform that lead to a token. */
  readonly tokenSteps: readonly string[];
  /** The form of a token. */
  readonly token: RegExp;
  readonly wrongToken: string;
  /** Returns how to write to the account. */
  readonly howToWrite: (account: string) => string;
}

const telegram: Platform = {
  kind: "telegram",
  title: "Telegram",
  detail: texts.telegramDetail,
  tokenLabel: texts.botToken,
  tokenSteps: texts.telegramSteps,
  token: /^\d+:\S{5,}$/,
  wrongToken: texts.wrongTelegramToken,
  howToWrite: texts.writeToTelegram,
};

export const platforms: readonly [Platform, ...Platform[]] = [telegram];

export const findPlatform = (kind: string): Platform | undefined =>
  platforms.find((platform) => platform.kind === kind);

/** Returns the first free name: "telegram", then "telegram-2". */
export const freeName = (kind: string, takenNames: readonly string[]): string => {
  let name = kind;
  for (let count = 2; takenNames.includes(name); count += 1) name = `${kind}-${count}`;
  return name;
};
