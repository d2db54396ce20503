/** The locale of dates, numbers and sorting. */
import { language } from "./text.ts";

/** Returns the browser's locale if it has the language of the UI, for example `en-GB`. Otherwise the language. */
export const chooseLocale = (ownLanguage: string, browserLocale: string): string =>
  browserLocale.split("-")[0] === ownLanguage ? browserLocale : ownLanguage;

export const locale = chooseLocale(language, new Intl.NumberFormat().resolvedOptions().locale);

const collator = new Intl.Collator(locale);

export const compareNames = (a: string, b: string): number => collator.compare(a, b);

export const formatNumber = (value: number): string => value.toLocaleString(locale);

/** Joins names, for example "Ada, Bob, and Eve". */
export const formatList = (names: readonly string[]): string => new Intl.ListFormat(locale).format(names);
