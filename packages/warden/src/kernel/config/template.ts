/** The `hearth.toml` of a new home. A line that begins with `#` and a letter or bracket is an example to uncomment. */
import { CONFIG_VERSION, DEFAULT_PORT } from "./schema.ts";

export const configTemplate = `# How this house is set up. Read at every start; a wrong value is refused with its line.
version = ${CONFIG_VERSION}

[server]
# 0 takes any free port.
port = ${DEFAULT_PORT}
# Only this machine can reach the house: there is no TLS yet.
#host = "127.0.0.1"
# Whether programs that subscribe to streams may be called on this machine, also without TLS.
#loopback_webhooks = false

# Where agents may go on the network stands with each agent. A grant may name a server on this machine only where this says so.
#[egress]
#loopback = false

[store]
# What an accepted message survives. "power": a power cut; the disk is waited for before anything is answered.
# "process": a killed process, and not a power cut; faster, as the system writes to the disk when it likes.
durability = "power"

# Who answers for the language models. The name is yours, and is the first part of a model's name.
# A key stands elsewhere: "secret:NAME" is in the vault (hearth secret set NAME), "env:NAME" an environment variable, "file:PATH" a file.
# A provider uses a secret only at hosts that are granted: hearth secret grant NAME --providers --host HOST
#[providers.anthropic]
#kind = "anthropic"
#api_key = "env:ANTHROPIC_API_KEY"

# Any server that speaks the same protocol, on this machine or behind a proxy.
#[providers.local]
#kind = "openai"
#base_url = "http://127.0.0.1:11434/v1"

# An answer that fails in a way that may pass is asked for again, so often at most, as long as nothing of it was shown.
#retries = 3

# Providers made of others. A chain asks its models in order until one answers; agents name it main/default.
#[providers.main]
#kind = "reliable"
#models = ["anthropic/claude-sonnet-5-5", "local/llama3.2"]

# A router goes by the beginning of the model's name: any/fast, any/big. "local/" alone passes on what follows the beginning.
#[providers.any]
#kind = "router"
#routes = { "fast/" = "local/llama3.2", "local/" = "local/", "" = "main/default" }

# An agent, by its handle. What is written here, and the name, is pinned: it is changed here and nowhere else. A bot that is not there yet is made.
#[agents.main]
#model = "anthropic/claude-sonnet-5-5"
# Asked in its place, in this order, when it does not answer.
#fallback = ["local/llama3.2"]
#description = "Keeps the household's lists."
#prompt = "Answer in German."
# Without this line: every tool that needs no person's word.
#tools = ["read", "list", "glob", "grep", "time"]
# "process" has its own process, "inline" shares the daemon's, "auto" takes the best that works here.
#cell = "auto"
#timezone = "Europe/Berlin"

# Every so often it looks by itself at what HEARTBEAT.md of its brain lists, if anything is new, and speaks where there is something to say.
#[agents.main.heartbeat]
#every = "30m"
# Times of its time zone. Without this line: around the clock.
#hours = { from = "08:00", to = "22:00" }
# Dollars and tokens a day that heartbeats may cost, beside what the agent may spend.
#budget = 0.50
#budget_tokens = 200000
# Where it speaks. Without this line: in your direct room with it.
#room = "kitchen"
# Also when nothing is new: for lists about the time, or what is outside of the house.
#always = true

# A chat platform where people write to an agent. Strangers are told a code; "hearth pairing approve CODE" lets them in.
#[channels.telegram]
#kind = "telegram"
#token = "env:TELEGRAM_BOT_TOKEN"
# Who answers there.
#agent = "main"
# "webhook": the platform calls webhook_url, and a proxy that ends TLS brings it here. Without these lines the platform is
# asked again and again ("poll"), which needs no address.
#mode = "webhook"
#webhook_url = "https://house.example/hooks/telegram"
# What proves such a call to be the platform's own. Without this line it is made from the token, by HMAC-SHA-256.
#webhook_secret = "file:telegram-webhook.key"

# Who is let in there. mode: "pairing", as above; "allow": the senders on the list, without a code, and nobody else; "open": anyone.
# Senders are named by the platform's own ids, which "hearth pairing list" shows.
#[channels.telegram.admission]
#mode = "allow"
#allow = ["123456789"]
#block = ["987654321"]
# No groups.
#direct_only = true
# Only messages that name the agent; those of whoever stands under wake need not.
#mention_required = true
#wake = ["123456789"]

#[turns]
# How many tools an agent may call before it has to answer.
#max_tool_calls = 10
# How many agents may wake each other in a row before a person has to say something, and how often agents may reply to
# one message in all. What a person asks of an agent by name is always answered.
#max_chain = 4
#max_replies = 12
# How long it is kept what woke an agent and what came of it.
#log_days = 30

#[cells]
# Where agents live that do not say: "auto" (the fastest with walls that works here), "strongest" (the one with most walls),
# or one by name: "bubblewrap", "landlock", "qemu", "process", "inline". What works here, and what it holds: hearth doctor
#backend = "auto"
# An agent with nothing to do sleeps after this many seconds.
#idle_seconds = 300
# Cells open at once. One more takes the place of one without work, or waits.
#max_open = 32
# What runs an agent is given up when it says nothing for so long though it is its turn. Models and tools do not count.
#silence_seconds = 120

# What a cell may use up, the agent and its commands together. An agent's own limits go before these.
#[cells.limits]
#memory_mib = 1024
#processes = 256
#cpus = 1
# Largest file.
#file_mib = 1024
# The workspace and the cell's own folders.
#disk_mib = 4096

# What an agent asks you before it does it, and nobody answers for so many hours, is not done.
#[approvals]
#expire_hours = 24

# What all agents together may spend on models, in US dollars, and in tokens (day_tokens); what an agent may spend alone stands with the
# agent: hearth agent edit NAME --budget-day 2.50. "turn" is what one answer may cost, with all that was asked of others for it.
#[budget]
#turn = 0.50
#day = 10
#month = 100
# What becomes of an answer that does not fit any more. "stop": it ends in words. "ask": it waits for a person. A model: that one
# is asked instead, as long as it fits.
#at_limit = "local/llama3.2"
# What a model costs whose price Hearth does not know, in dollars a million tokens.
#unknown_price = { input = 15, output = 75 }

# Prices that go before the ones that Hearth knows, by the beginning of a model's name. What runs on this machine costs nothing.
#[prices."openrouter/"]
#input = 3
#output = 15
#cache_read = 0.3

# When a conversation comes so near to what its model takes, its oldest stretch becomes notes in the agent's memory and a summary.
#[compaction]
# Tokens that stay free for what a turn adds. Without it: a quarter of the model's limit, at most 32000.
#reserve = 20000
# Who writes the summaries. Without it: the agent's own model.
#model = "local/llama3.2"
# Tokens that a model takes, by the beginning of its name, where Hearth knows it wrong or not at all.
#[compaction.limits]
#"local/" = 16384

# What agents find their memory with. "sqlite": an index, by words and by meaning, in a process of its own that starts at the first question.
# "markdown": by words alone, without a process, for small brains. "none": agents read their files themselves.
#[memory]
#backend = "sqlite"
# What makes meaning of words: "local", a model on this machine that asks nobody, is what it is without this line; "none"; or a server, which is
# sent every text of a memory: "ollama", or "openai-compatible" for whatever speaks OpenAI's protocol. Another one makes all vectors anew.
#embedder = "ollama"
#model = "nomic-embed-text"
# How many numbers that model makes of a text.
#dimensions = 768
# Without it Ollama's own, http://127.0.0.1:11434; of others up to the version: "https://api.openai.com/v1".
#base_url = "http://127.0.0.1:11434"
#api_key = "env:OPENAI_API_KEY"
# How many facts an answer has where nobody says.
#top_k = 5
# A plain sum of meaning and words in place of what was learned, which measures better: ./hearth bench retrieval
#semantic = 0.7
#lexical = 0.3
# What speaks of a day that long ago counts half. Without it no fact sinks for its age.
#half_life_days = 90
# The process leaves when nobody has asked for so many seconds.
#idle_seconds = 600

# What agents search the web with (the tool web_search): "brave" (api_key = "env:BRAVE_API_KEY") or a "searxng" of your own.
#[search]
#kind = "searxng"
#base_url = "http://127.0.0.1:8080"

#[log]
# Where the daemon's diary goes: "file" is logs/hearth.log, which keeps itself below 40 MiB; "stderr"; both; or none: [].
#to = ["file"]
# What is below this is left out: "debug", "info", "warn", "error".
#level = "info"
`;
