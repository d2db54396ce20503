/** The `hearth.toml` of a new home. A line that begins with `#` and a letter or bracket is an example to uncomment. */
import { CONFIG_VERSION, DEFAULT_PORT } from "./schema.ts";

export const configTemplate = `# How this house is set up. Read at every start; a wrong value is refused with its line.
version = ${CONFIG_VERSION}

[server]
# 0 takes any free port.
port = ${DEFAULT_PORT}
# Only this machine can reach the house: there is no TLS yet.
#host = "127.0.0.1"

# Who answers for the language models. The name is yours, and is the first part of a model's name.
# A key stands elsewhere: "env:NAME" is an environment variable, "file:PATH" a file.
#[providers.anthropic]
#kind = "anthropic"
#api_key = "env:ANTHROPIC_API_KEY"

# Any server that speaks the same protocol, on this machine or behind a proxy.
#[providers.local]
#kind = "openai"
#base_url = "http://127.0.0.1:11434/v1"

# An agent, by its handle. What is written here is pinned: it is changed here and nowhere else. A bot that is not there yet is made.
#[agents.main]
#model = "anthropic/claude-sonnet-5-5"
#description = "Keeps the household's lists."
#prompt = "Answer in German."
# Without this line: every tool that needs no person's word.
#tools = ["read", "list", "glob", "grep", "time"]
# "process" has its own process, "inline" shares the daemon's, "auto" takes the best that works here.
#cell = "auto"
#timezone = "Europe/Berlin"

#[cells]
# Where agents live that do not say.
#backend = "auto"
# An agent with nothing to do sleeps after this many seconds.
#idle_seconds = 300
`;
