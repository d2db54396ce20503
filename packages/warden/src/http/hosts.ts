/** The host names that the port answers to. */

/** Every name that a browser on this machine may use for the port. */
export const hostsOf = (url: string): readonly string[] => {
  if (url === "") return [];
  const { host, port } = new URL(url);
  return [host, `127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
};
