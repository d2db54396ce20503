/**
 * The language of the UI in this browser. The browser stores it, and a cookie sends it to the house,
 * which serves the UI in that language.
 */
import type { Storage } from "@hearth/client";
import { remember } from "./remember.ts";

export const languages = ["automatic", "en", "de"] as const;
/** `automatic`: the preferred language of the browser. */
export type Language = (typeof languages)[number];

export interface LanguageSetting {
  get(): Language;
  /** Stores the language, and reloads the page if the language changes. */
  set(language: Language): void;
}

export interface LanguageSettingOptions {
  readonly storage: Storage;
  /** Sends the language to the house with the next request. Undefined: the house follows the browser. */
  readonly send: (language: string | undefined) => void;
  readonly reload: () => void;
}

const STORAGE_KEY = "language";

const isLanguage = (text: string | undefined): text is Language => languages.some((language) => language === text);

/** Creates the setting. Renews the cookie, because some browsers delete it after a week. */
export const createLanguageSetting = ({ storage, send, reload }: LanguageSettingOptions): LanguageSetting => {
  const readLanguage = (): Language => {
    const text = storage.get(STORAGE_KEY);
    return isLanguage(text) ? text : "automatic";
  };
  const sendLanguage = (language: Language): void => send(language === "automatic" ? undefined : language);
  if (readLanguage() !== "automatic") sendLanguage(readLanguage());
  return {
    get: readLanguage,
    set(language) {
      if (language === readLanguage()) return;
      remember(storage, STORAGE_KEY, language);
      sendLanguage(language);
      reload();
    },
  };
};
