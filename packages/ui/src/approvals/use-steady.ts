/** Observes the position of an element on every frame. */
import { type RefObject, useEffect, useState } from "react";
import { useUi } from "../house/ui.tsx";
import { createSteadiness } from "./steadiness.ts";

/** Returns a check whether the element has been still long enough to be pressed. */
export const useSteady = (element: RefObject<HTMLElement | null>): (() => boolean) => {
  const { clock } = useUi();
  const [steadiness] = useState(createSteadiness);
  useEffect(() => {
    const view = element.current?.ownerDocument.defaultView;
    if (view === undefined || view === null) return undefined;
    let frame = 0;
    const reportPosition = (): void => {
      steadiness.report(positionOf(element.current), clock.monotonic());
      frame = view.requestAnimationFrame(reportPosition);
    };
    reportPosition();
    return () => view.cancelAnimationFrame(frame);
  }, [element, steadiness, clock]);
  return () => steadiness.isSteady(positionOf(element.current), clock.monotonic());
};

const positionOf = (element: HTMLElement | null): string => {
  const box = element?.getBoundingClientRect();
  return box === undefined ? "" : `${Math.round(box.left)} ${Math.round(box.top)} ${Math.round(box.height)}`;
};
