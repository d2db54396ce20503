import { test } from "bun:test";
import { inBrowser } from "./browser.ts";
import { examinePages } from "./looks-pages.ts";

inBrowser("the appearance", ({ visit }) => {
  test("every page fits every width, and axe finds no violation at any width and theme", () =>
    examinePages(visit, "every view"));
});
