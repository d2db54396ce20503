/** A diagram that Mermaid draws, with its source. The part that draws it is loaded with the first diagram. */
import { createLazyPart } from "../house/lazy-part.tsx";
import { CodeBlock } from "./code-text.tsx";
import type { DrawnDiagramProps } from "./drawn/drawn-diagram.tsx";

const Source = ({ text }: DrawnDiagramProps) => <CodeBlock text={text} language="mermaid" />;

export const Diagram = createLazyPart<DrawnDiagramProps>({
  load: async () => (await import("./drawn/drawn-diagram.tsx")).DrawnDiagram,
  Fallback: Source,
  Wrapper: Source,
});
