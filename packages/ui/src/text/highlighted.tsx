/**
 * Renders code with colours. Each part that the highlighter finds becomes a span element, and no
 * text becomes HTML. Loaded with the first code block of a known language.
 */
import { common, createLowlight } from "lowlight";
import { type ReactNode, useMemo } from "react";
import styles from "./highlighted.module.css";
import { VisibleText } from "./visible.tsx";

export interface HighlightedProps {
  readonly text: string;
  /** The language as the author wrote it. */
  readonly language: string;
}

/** Maximum length of code with colours. Longer code would block the page for more than a frame. */
const MAX_LENGTH = 20_000;

const highlighter = createLowlight(common);

export const Highlighted = ({ text, language }: HighlightedProps) => {
  const nodes = useMemo(() => {
    // Some models add attributes after the name.
    const [name = ""] = language.toLowerCase().split(/[\s{,:]/u);
    if (text.length > MAX_LENGTH || !highlighter.registered(name)) return undefined;
    return highlighter.highlight(name, text).children;
  }, [text, language]);
  return nodes === undefined ? <VisibleText text={text} /> : toElements(nodes);
};

type Nodes = ReturnType<typeof highlighter.highlight>["children"];

const toElements = (nodes: Nodes): readonly ReactNode[] =>
  nodes.map((node, index) => {
    if (node.type === "text") return <VisibleText key={index} text={node.value} />;
    if (node.type !== "element") return undefined;
    return (
      <span key={index} className={colourOf(node.properties["className"])}>
        {toElements(node.children as Nodes)}
      </span>
    );
  });

/** The parts of code by colour, as the highlighter names them: `hljs-keyword`. */
const groups: readonly (readonly [string, string])[] = [
  ["keyword", "keyword selector-tag doctag template-tag"],
  ["string", "string regexp symbol char addition link"],
  ["number", "number literal built_in variable template-variable attribute"],
  ["title", "title function section name selector-id selector-class"],
  ["type", "type class attr property selector-attr"],
  ["comment", "comment quote meta"],
  ["deletion", "deletion"],
  ["strong", "strong"],
  ["emphasis", "emphasis"],
];

const colours = new Map(
  groups.flatMap(([style, names]) => names.split(" ").map((name) => [`hljs-${name}`, styles[style]])),
);

const colourOf = (names: unknown): string | undefined =>
  Array.isArray(names)
    ? names.map((name) => colours.get(String(name))).find((style) => style !== undefined)
    : undefined;
