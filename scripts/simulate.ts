/** Runs the simulation: `npm run simulate -- --seeds N [--seed S] [--json]`, or `--enumerate`. */
const program = new URL("../tests/simulation/main.ts", import.meta.url).pathname;
const child = Bun.spawn([process.execPath, "--no-install", program, ...process.argv.slice(2)], {
  stdio: ["ignore", "inherit", "inherit"],
});
process.exit(await child.exited);
