/**
 * Shows a diagram in a frame. The frame has an opaque origin and no network: its sandbox allows
 * scripts only, and its document allows no request. So a diagram by a stranger reaches neither the
 * page nor another host. If it has an error or takes too long, its source is shown.
 */
import { observe } from "@hearth/client";
import { useCallback, useEffect, useRef, useState } from "react";
import { Button } from "../../design/button.tsx";
import { useUi } from "../../house/ui.tsx";
import type { DiagramAnswer, DiagramRequest } from "../diagram-messages.ts";
import { CodeBlock } from "../code-text.tsx";
import styles from "../diagram.module.css";
import * as texts from "./text.ts";

export interface DrawnDiagramProps {
  readonly text: string;
}

const FRAME = "/ui/diagram.html";
/** The library takes about a second on a slow device. */
const TIMEOUT_MS = 15_000;
const MAX_TEXT_LENGTH = 20_000;

type State =
  | { readonly kind: "drawing" }
  | { readonly kind: "drawn"; readonly width: number; readonly height: number }
  | { readonly kind: "failed" };

export const DrawnDiagram = ({ text }: DrawnDiagramProps) => {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isSourceShown, setSourceShown] = useState(false);
  const state = useDrawing(frame, text);
  if (state.kind === "failed")
    return (
      <div className={styles.diagram}>
        <p className={styles.note}>{texts.diagramError}</p>
        <CodeBlock text={text} language="mermaid" />
      </div>
    );
  return (
    <figure className={styles.diagram}>
      <div className={styles.box}>
        <iframe
          ref={frame}
          className={styles.frame}
          title={texts.diagram}
          src={FRAME}
          sandbox="allow-scripts"
          referrerPolicy="no-referrer"
          tabIndex={-1}
          scrolling="no"
        />
        {state.kind === "drawing" ? <p className={styles.note}>{texts.drawingDiagram}</p> : undefined}
      </div>
      <figcaption>
        <Button kind="quiet" size="small" aria-expanded={isSourceShown} onClick={() => setSourceShown(!isSourceShown)}>
          {isSourceShown ? texts.hideSource : texts.showSource}
        </Button>
      </figcaption>
      {isSourceShown ? <CodeBlock text={text} language="mermaid" /> : undefined}
    </figure>
  );
};

/** Lets the frame draw the text, also again after the colour scheme changed. */
const useDrawing = (frame: { readonly current: HTMLIFrameElement | null }, text: string): State => {
  const { clock } = useUi();
  const [state, setState] = useState<State>(text.length > MAX_TEXT_LENGTH ? { kind: "failed" } : { kind: "drawing" });
  const fail = useCallback(
    () => setState((previousState) => (previousState.kind === "drawn" ? previousState : { kind: "failed" })),
    [],
  );
  useEffect(() => {
    const window = frame.current?.ownerDocument.defaultView;
    if (!window) return undefined;
    const scheme = window.matchMedia("(prefers-color-scheme: dark)");
    const draw = (): void => {
      const style = frame.current === null ? undefined : window.getComputedStyle(frame.current);
      const isDark = style?.colorScheme === "dark" || (style?.colorScheme !== "light" && scheme.matches);
      const request: DiagramRequest = { kind: "draw", text, isDark };
      // The frame's origin has no name. It is the only receiver.
      frame.current?.contentWindow?.postMessage(request, "*");
    };
    const onMessage = ({ source, data }: MessageEvent<DiagramAnswer>): void => {
      if (source === null || source !== frame.current?.contentWindow) return;
      if (data.kind === "ready") draw();
      else if (data.kind === "drawn") setState({ kind: "drawn", ...sizeOf(data) });
      else fail();
    };
    const controller = new AbortController();
    window.addEventListener("message", onMessage);
    scheme.addEventListener("change", draw);
    observe(
      clock.sleep(TIMEOUT_MS, controller.signal).then(() => {
        if (!controller.signal.aborted) fail();
      }),
    );
    return () => {
      controller.abort();
      window.removeEventListener("message", onMessage);
      scheme.removeEventListener("change", draw);
    };
  }, [frame, text, clock, fail]);
  useEffect(() => {
    if (state.kind !== "drawn" || frame.current === null) return;
    frame.current.style.aspectRatio = `${state.width} / ${state.height}`;
    frame.current.style.maxInlineSize = `${state.width}px`;
  }, [frame, state]);
  return state;
};

const MAX_SIZE = 4000;

/** The size is chosen by the frame, so it has limits. */
const sizeOf = ({ width, height }: { readonly width: number; readonly height: number }) => ({
  width: clamp(width),
  height: clamp(height),
});

const clamp = (size: number): number => (Number.isFinite(size) ? Math.min(Math.max(size, 1), MAX_SIZE) : 1);
