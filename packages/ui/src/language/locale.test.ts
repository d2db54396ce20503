import { expect, test } from "bun:test";
import { chooseLocale, compareNames, formatList, formatNumber } from "./locale.ts";

test("the browser's locale is used if it has the language of the UI", () => {
  expect(chooseLocale("en", "en-GB")).toBe("en-GB");
  expect(chooseLocale("de", "de-AT")).toBe("de-AT");
  expect(chooseLocale("de", "de")).toBe("de");
  expect(chooseLocale("de", "en-US")).toBe("de");
  expect(chooseLocale("en", "den")).toBe("en");
});

test("names are ordered, numbers and lists are formatted in the language of the UI", () => {
  expect(["Zoe", "Älva", "ada", "Bob"].toSorted(compareNames)).toEqual(["ada", "Älva", "Bob", "Zoe"]);
  expect(formatNumber(1204)).toBe("1,204");
  expect(formatList(["Ada", "Bob"])).toBe("Ada and Bob");
});
