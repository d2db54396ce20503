/** Places a popover beside the element that it belongs to. */

/** Places it below the opener, or above it if there is no space below. Keeps it within the window. */
export const placeBelow = (panel: HTMLElement, opener: Element): void => {
  const window = panel.ownerDocument.defaultView;
  if (window === null) return;
  const openerBox = opener.getBoundingClientRect();
  const { width, height } = panel.getBoundingClientRect();
  const isBelow = openerBox.bottom + height <= window.innerHeight || openerBox.top < height;
  panel.style.left = `${Math.max(0, Math.min(openerBox.right - width, window.innerWidth - width))}px`;
  const top = isBelow ? Math.max(0, Math.min(openerBox.bottom, window.innerHeight - height)) : openerBox.top - height;
  panel.style.top = `${top}px`;
};
