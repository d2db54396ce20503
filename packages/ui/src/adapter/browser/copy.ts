/** Copies text to the clipboard. Pages without TLS use the deprecated API. */
export const createCopyText =
  (page: Document, clipboard: Pick<Clipboard, "writeText"> | undefined) =>
  async (text: string): Promise<void> => {
    try {
      if (clipboard !== undefined) return await clipboard.writeText(text);
    } catch {
      // The browser refused the copy, so the deprecated API is tried.
    }
    copyBySelection(page, text);
  };

const copyBySelection = (page: Document, text: string): void => {
  const previousFocus = page.activeElement;
  const area = page.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.style.position = "fixed";
  area.style.opacity = "0";
  // While a modal dialog is open, only its content can be selected.
  (page.querySelector("dialog:modal") ?? page.body).append(area);
  area.select();
  // Deprecated, but the only API that works without TLS.
  const isCopied = page.execCommand("copy");
  area.remove();
  if (previousFocus instanceof HTMLElement) previousFocus.focus({ preventScroll: true });
  if (!isCopied) throw new TypeError("The browser did not allow copying.");
};
