/** Puts text on the clipboard, also on a page without TLS, where browsers offer only the old way. */
export const createCopyText =
  (page: Document, clipboard: Pick<Clipboard, "writeText"> | undefined) =>
  async (text: string): Promise<void> => {
    try {
      if (clipboard !== undefined) return await clipboard.writeText(text);
    } catch {
      // Refused: the old way may still be open.
    }
    copyBySelection(page, text);
  };

const copyBySelection = (page: Document, text: string): void => {
  const before = page.activeElement;
  const area = page.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  // Outside of an open modal dialog nothing can be selected.
  (page.querySelector("dialog:modal") ?? page.body).append(area);
  area.select();
  // Deprecated, and the one thing that works on plain http.
  const isCopied = page.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  if (!isCopied) throw new TypeError("The browser did not copy.");
};
