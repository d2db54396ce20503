/** Names the browser and system of a user agent string, so that users recognise their devices. Pure. */
import * as texts from "./text.ts";

/**
 * Browsers in the order in which they are tried: user agents of earlier ones also contain the names
 * of later ones.
 */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
  [/^curl\//, "curl"],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "Mac"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** Returns a name such as "Firefox on Linux", or the first part of an unknown user agent. */
export const nameBrowser = (about: string): string => {
  const browser = find(browsers, about);
  const system = find(systems, about);
  if (browser !== undefined) return system === undefined ? browser : texts.browserOn(browser, system);
  return about.trim() === "" ? texts.unknownBrowser : about.trim().slice(0, MAX_LENGTH);
};

const MAX_LENGTH = 40;

const find = (names: readonly (readonly [RegExp, string])[], about: string): string | undefined =>
  names.find(([sign]) => sign.test(about))?.[1];
