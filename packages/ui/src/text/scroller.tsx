/** A scroll container that is focusable and named only while it can scroll. */
import { type ReactNode, useCallback, useState } from "react";

export interface ScrollerProps {
  readonly label: string;
  readonly className: string | undefined;
  readonly children: ReactNode;
}

export const Scroller = ({ label, className, children }: ScrollerProps) => {
  const [isScrolling, setScrolling] = useState(false);
  const watch = useCallback((box: HTMLElement | null) => {
    const Observer = box?.ownerDocument.defaultView?.ResizeObserver;
    if (!box || Observer === undefined) return undefined;
    const observer = new Observer(() =>
      setScrolling(box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight),
    );
    for (const part of [box, ...box.children]) observer.observe(part);
    return () => observer.disconnect();
  }, []);
  return (
    <div
      ref={watch}
      className={className}
      {...(isScrolling ? { tabIndex: 0, role: "group", "aria-label": label } : {})}
    >
      {children}
    </div>
  );
};
