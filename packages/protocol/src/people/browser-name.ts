/** Recognises the browser and the system of a user agent string. Pure. */

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

export interface BrowserName {
  /** Undefined for an unknown user agent. */
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

export const readBrowser = (userAgent: string): BrowserName => ({
  browser: findName(browsers, userAgent),
  system: findName(systems, userAgent),
});

const findName = (names: readonly (readonly [RegExp, string])[], userAgent: string): string | undefined =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];
