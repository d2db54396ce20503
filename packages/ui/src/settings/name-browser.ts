/** What a browser is called by what it says of itself: good enough to know one's own again. Pure. */

/** In this order: each of the first also calls itself the later ones. */
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

/** "Firefox on Linux"; the beginning of what it says where it is none that people know. */
export const nameBrowser = (about: string): string => {
  const browser = find(browsers, about);
  const system = find(systems, about);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return about.trim() === "" ? "A browser without a name" : about.trim().slice(0, MAX_LENGTH);
};

const MAX_LENGTH = 40;

const find = (names: readonly (readonly [RegExp, string])[], about: string): string | undefined =>
  names.find(([sign]) => sign.test(about))?.[1];
