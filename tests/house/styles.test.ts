import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { root } from "./source.ts";
import { judgeStyles } from "./styles.ts";

const UI = "packages/ui/src";

const read = async (pattern: string): Promise<Record<string, string>> => {
  const paths = [...new Bun.Glob(`${UI}/${pattern}`).scanSync({ cwd: root })].filter(
    (path) => !/\.test\.tsx?$|\.d\.ts$|\/adapter\/bun\//.test(path),
  );
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await Bun.file(join(root, path)).text()])),
  );
};

test("in the UI every class exists and is used, every variable is defined, and colours are tokens", async () => {
  const [sheets, code] = [await read("**/*.css"), await read("**/*.{ts,tsx}")];
  expect(Object.keys(sheets).filter((path) => path.endsWith(".module.css")).length).toBeGreaterThan(5);
  expect(judgeStyles({ sheets, tokens: `${UI}/design/tokens.css`, code })).toEqual([]);
});

describe("the check of styles", () => {
  const judge = (css: string, code: string, other: Readonly<Record<string, string>> = {}) =>
    judgeStyles({
      sheets: { "a/tokens.css": ":root { --ink: #123; --edge: var(--ink); }", "a/x.module.css": css },
      tokens: "a/tokens.css",
      code: { "a/x.tsx": `import styles from "./x.module.css";\n${code}`, ...other },
    });

  test("accepts valid styles", () => {
    const css = `/* .gone { color: red } */
      .one:hover:not(.two), .three { color: var(--ink); border: 1px solid transparent; --mine: 1px; margin: var(--mine) 0.5em }
      @media (min-width: 40.5rem) { .four { outline-color: Highlight; font-family: "Red Hat", serif; &:hover { color: currentColor } } }
      @keyframes rise { from { opacity: 0 } }`;
    expect(judge(css, 'styles.one; styles.two; styles["three"]; styles.four')).toEqual([]);
  });

  test("finds a missing class", () => {
    expect(judge(".one { margin: 0 }", "styles.one; styles.two")).toEqual([
      "a/x.tsx uses .two, which a/x.module.css does not define",
    ]);
    expect(judge(".one { margin: 0 }", 'styles.one; styles["a-b"]')).toHaveLength(1);
  });

  test("finds a class that nothing uses, unless names are computed", () => {
    const css = ".one { margin: 0 } .two { margin: 0 }";
    const wrong = ["a/x.module.css has .two, which nothing uses"];
    expect(judge(css, "styles.one")).toEqual(wrong);
    expect(judge(css, 'styles["one"]')).toEqual(wrong);
    expect(judge(css, "styles[kind]")).toEqual([]);
  });

  test("counts a composed class as used, and finds a missing composed class", () => {
    const sheets = (css: string) => ({ "a/x.module.css": css, "b/y.module.css": ".two { margin: 0 }" });
    const judgeBoth = (css: string) =>
      judgeStyles({ sheets: sheets(css), tokens: "", code: { "a/x.tsx": 'import s from "./x.module.css";\ns.one' } });
    expect(judgeBoth('.one { composes: two from "../b/y.module.css"; }')).toEqual([]);
    expect(judgeBoth('.one { composes: six from "../b/y.module.css"; }')).toEqual([
      "a/x.module.css uses .six, which b/y.module.css does not define",
      "b/y.module.css has .two, which nothing uses",
    ]);
  });

  test("finds a rule for several classes that composes another", () => {
    const css =
      ".two { margin: 0 } .one, .three { composes: two; } .one > b { composes: two; } .four { composes: two; }";
    expect(judge(css, "styles.one; styles.two; styles.three; styles.four")).toEqual([
      "a/x.module.css composes in .one, .three; only a rule for one class can",
      "a/x.module.css composes in .one > b; only a rule for one class can",
    ]);
  });

  test("finds a missing style sheet, and one that no file imports", () => {
    const other = { "a/b/y.tsx": 'import styles from "./y.module.css";' };
    expect(judge(".one { margin: 0 }", "styles.one", other)).toEqual([
      "a/b/y.tsx imports ./y.module.css, which does not exist",
    ]);
    expect(judgeStyles({ sheets: { "a/z.module.css": ".one { margin: 0 }" }, tokens: "", code: {} })).toEqual([
      "a/z.module.css has .one, which nothing uses",
    ]);
  });

  test.each([
    "#fff",
    "#12345678",
    "rgb(1 2 3 / 4%)",
    "hsl(1 2% 3%)",
    "oklch(1 2 3)",
    "1px solid red",
    "RebeccaPurple",
    "light-dark(red, blue)",
  ])("finds the colour in %p", (value) => {
    const [wrong, ...more] = judge(`.one { margin: 0; border: ${value} }`, "styles.one");
    expect(wrong).toStartWith("a/x.module.css names the colour ");
    expect(more).toEqual([]);
  });

  test("finds a variable that nothing defines, in the tokens too", () => {
    expect(judge(".one { color: var(--inc) }", "styles.one")).toEqual([
      "a/x.module.css uses --inc, which nothing defines",
    ]);
    const tokens = { "t.css": ":root { --a: var(--b) }" };
    expect(judgeStyles({ sheets: tokens, tokens: "t.css", code: {} })).toEqual([
      "t.css uses --b, which nothing defines",
    ]);
  });
});
