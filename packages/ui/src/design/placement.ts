/** Places a popover beside the element that it belongs to. */

/** Places it below the opener, or above it if there is no space below. Keeps it within the window. */
export const placeBelow = (panel: HTMLElement, opener: Element): void => {
  const window = panel.ownerDocument.defaultView;
  if (window === null) return;
  const at = opener.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const isBelow = at.bottom + height <= window.innerHeight || at.top < height;
  panel.style.left = `${Math.max(0, Math.min(at.right - width, window.innerWidth - width))}px`;
  panel.style.top = `${isBelow ? Math.max(0, Math.min(at.bottom, window.innerHeight - height)) : at.top - height}px`;
};
