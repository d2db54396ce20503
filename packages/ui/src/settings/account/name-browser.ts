/** Names the browser and system of a user agent string, so that users recognise their devices. Pure. */
import { readBrowser } from "@hearth/protocol/browser-name";
import * as texts from "./text.ts";

/** Returns a name such as "Firefox on Linux", or the first part of an unknown user agent. */
export const nameBrowser = (userAgent: string): string => {
  const { browser, system } = readBrowser(userAgent);
  if (browser !== undefined) return system === undefined ? browser : texts.browserOn(browser, system);
  return userAgent.trim() === "" ? texts.unknownBrowser : userAgent.trim().slice(0, MAX_LENGTH);
};

const MAX_LENGTH = 40;
