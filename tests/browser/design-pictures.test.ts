/** The page of the design looks as in its reference pictures, at three widths in both themes. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { createHome, startDaemon } from "../journeys/daemon.ts";
import { inBrowser, welcome } from "./browser.ts";
import { differenceOf, isWriting, reasonToSkip, writeMachine } from "./design-pictures.ts";

setDefaultTimeout(120_000);

const sizes = [
  { width: 360, factor: 2 },
  { width: 768, factor: 4 },
  { width: 1440, factor: 6 },
] as const;
const HINT = "Look at /ui/design. If the change is meant: HEARTH_WRITE=1 npm test -- tests/browser/design-pictures";
const reason = reasonToSkip();

inBrowser("pictures of the design", ({ visit }) => {
  test.skipIf(reason !== undefined)(
    `the page looks as in its reference pictures, and a changed button does not${reason === undefined ? "" : ` (${reason})`}`,
    async () => {
      using home = createHome();
      await using daemon = await startDaemon(home.folder);
      await welcome(daemon);
      await using visited = await visit(daemon, { path: "/ui/design", reducedMotion: "reduce" });
      const { page } = visited;
      const blank = await visited.newTab();
      await page.getByRole("heading", { level: 1, name: "Design" }).waitFor();
      /** Shoots the whole page. The page scrolls inside, so the window becomes as high as its content. */
      const shoot = async (width: number): Promise<Buffer> => {
        await page.setViewportSize({ width, height: 900 });
        const height = await page.evaluate(() => {
          const boxes = [...document.querySelectorAll("main, main *")].map((element) => element.scrollHeight);
          return Math.max(...boxes) + innerHeight - (document.querySelector("main")?.clientHeight ?? 0);
        });
        await page.setViewportSize({ width, height });
        return page.screenshot({ animations: "disabled", caret: "hide" });
      };
      const differences: string[] = [];
      for (const { width, factor } of sizes)
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const picture = { name: `${width}-${colorScheme}`, shot: await shoot(width), factor };
          differences.push(...[await differenceOf(blank, picture)].filter((difference) => difference !== undefined));
        }
      if (differences.length > 0) throw new Error([...differences, HINT].join("\n"));
      if (isWriting) writeMachine();
      else {
        // The tolerance is small enough for two more pixels of padding.
        await page.evaluate(() => {
          for (const button of document.querySelectorAll<HTMLElement>("main button"))
            button.style.paddingInline = `calc(${getComputedStyle(button).paddingInlineStart} + 2px)`;
        });
        const changed = { name: "1440-dark", shot: await shoot(1440), factor: 6 };
        expect(await differenceOf(blank, changed)).toMatch(/of the pixels differ|another size/);
      }
    },
  );
});
