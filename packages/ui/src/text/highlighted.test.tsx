import { expect, test } from "bun:test";
import { renderToStaticMarkup } from "react-dom/server";
import { Highlighted } from "./highlighted.tsx";

const draw = (text: string, language: string): string =>
  renderToStaticMarkup(<Highlighted text={text} language={language} />);
const plain = (markup: string): string => markup.replaceAll(/<[^>]*>/gu, "");

test("keywords, strings and comments of a known language are elements, and the text stays", () => {
  const code = 'const a = "b"; // c';
  const markup = draw(code, "ts");
  expect(markup.match(/<span/gu)?.length).toBeGreaterThanOrEqual(3);
  expect(plain(markup)).toBe(code.replaceAll('"', "&quot;"));
  // Some models add attributes after the name of the language.
  expect(draw(code, 'TS {1,3} title="x"')).toBe(markup);
});

test("markup in code stays text", () => {
  expect(draw("<script>alert(1)</script>", "html")).not.toContain("<script>");
});

test("unknown languages and long code are shown as they are", () => {
  expect(draw("const a = 1;", "klingon")).toBe("const a = 1;");
  const long = "const a = 1;\n".repeat(2000);
  expect(draw(long, "ts")).toBe(long);
});
