/** The script of a diagram's frame: draws the text that the page sends, and returns the size. */
import mermaid from "mermaid";
import type { DiagramAnswer, DiagramRequest } from "../../text/diagram-messages.ts";

/** Longer texts and more edges would block the frame. */
const LIMITS = { maxTextSize: 20_000, maxEdges: 300 } as const;

const sendAnswer = (message: DiagramAnswer): void => window.parent.postMessage(message, "*");

const draw = async ({ text, isDark }: DiagramRequest): Promise<void> => {
  document.documentElement.style.colorScheme = isDark ? "dark" : "light";
  mermaid.initialize({
    startOnLoad: false,
    suppressErrorRendering: true,
    // The library removes scripts, handlers and links from the text, beside the sandbox.
    securityLevel: "strict",
    // The default needs a library that is left out, because it is as large as the rest.
    layout: "dagre",
    theme: isDark ? "dark" : "neutral",
    fontFamily: "system-ui, sans-serif",
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    ...LIMITS,
  });
  const { svg } = await mermaid.render("diagram", text);
  document.body.innerHTML = svg;
  const drawing = document.querySelector("svg");
  if (drawing === null) throw new Error("there is no drawing");
  const { width, height } = drawing.viewBox.baseVal;
  drawing.style.maxWidth = "100%";
  sendAnswer({ kind: "drawn", width: Math.ceil(width), height: Math.ceil(height) });
};

window.addEventListener("message", ({ source, data }: MessageEvent<DiagramRequest>) => {
  if (source !== window.parent || data.kind !== "draw") return;
  draw(data).catch(() => {
    document.body.textContent = "";
    sendAnswer({ kind: "failed" });
  });
});

sendAnswer({ kind: "ready" });
