/**
 * The `hearth.toml` of a new home. A line that begins with `#` and a letter or bracket is an
 * example that a person can uncomment.
 */
import { CONFIG_VERSION } from "./schema.ts";
import { DEFAULT_PORT } from "./text/server-text.ts";

export const configTemplate = `# The settings of this house. Read at every start; an invalid value is refused with its line.
version = ${CONFIG_VERSION}

[server]
# 0: any free port.
port = ${DEFAULT_PORT}
# The address to listen on. By default only this machine can connect. Another address, or "0.0.0.0" for all, needs TLS (tls_cert and
# tls_key) or a proxy that terminates it (trusted_proxies).
#host = "127.0.0.1"
# The address that browsers on other machines use. docs/operations.md has samples for nginx, Caddy and HAProxy.
#public_url = "https://house.example"
# The proxies in front of this house, as addresses or networks. Their headers name the client; those of others are ignored.
#trusted_proxies = ["127.0.0.1"]
# Your own certificate and its key, in PEM. A renewed pair is used at once, without a restart.
#tls_cert = "/etc/letsencrypt/live/house.example/fullchain.pem"
#tls_key = "/etc/letsencrypt/live/house.example/privkey.pem"
# Whether webhooks of stream subscriptions may call programs on this machine, also without TLS.
#loopback_webhooks = false

# Without a public address, a tunnel opens this house to other machines: hearth tunnel open KIND

# Network access is granted per agent. A grant for a server on this machine also needs this setting.
#[egress]
#loopback = false

[store]
# What an accepted message survives. "power": a power cut; every answer waits for the disk.
# "process": a killed process, but not a power cut; faster, because the system chooses when to write to the disk.
durability = "power"

# The providers of language models. You choose the name, which is the first part of a model's name.
# Keys are stored elsewhere: "secret:NAME" is in the vault (hearth secret set NAME), "env:NAME" an environment variable, "file:PATH" a file.
# A provider can use a secret only for granted hosts: hearth secret grant NAME --providers --host HOST
#[providers.anthropic]
#kind = "anthropic"
#api_key = "env:ANTHROPIC_API_KEY"

# Any server that speaks the same protocol, on this machine or behind a proxy.
#[providers.local]
#kind = "openai"
#base_url = "http://127.0.0.1:11434/v1"

# Retries after transient failures, while no part of the answer has been shown.
#retries = 3

# Composite providers. A chain calls its models in order until one answers; agents use it as main/default.
#[providers.main]
#kind = "reliable"
#models = ["anthropic/claude-sonnet-5-5", "local/llama3.2"]

# A router chooses by the prefix of the model's name: any/fast, any/big. A target such as "local/" receives the rest of the name.
#[providers.any]
#kind = "router"
#routes = { "fast/" = "local/llama3.2", "local/" = "local/", "" = "main/default" }

# The model of agents that are created without one.
#[defaults]
#model = "anthropic/claude-sonnet-5-5"

# An agent, by its handle. Fields set here, and the name, are pinned: they can be changed only here. A missing bot is created.
#[agents.main]
#model = "anthropic/claude-sonnet-5-5"
# Models to try in this order when the model does not answer.
#fallback = ["local/llama3.2"]
#description = "Keeps the household's lists."
#prompt = "Answer in German."
# Default: every tool that needs no approval.
#tools = ["read", "list", "glob", "grep", "time"]
# "process" uses a separate process, "inline" shares the daemon's, "auto" chooses the best that works here.
#cell = "auto"
#timezone = "Europe/Berlin"

# The agent regularly checks the list in HEARTBEAT.md of its brain if anything is new, and writes if there is something to report.
#[agents.main.heartbeat]
#every = "30m"
# In the agent's time zone. Default: around the clock.
#hours = { from = "08:00", to = "22:00" }
# The daily limit of heartbeats in dollars and tokens, in addition to the agent's budget.
#budget = 0.50
#budget_tokens = 200000
# The room it writes to. Default: your direct room with it.
#room = "kitchen"
# Check also when nothing is new: for lists about times, or about things outside of the house.
#always = true

# A chat platform where people write to an agent. Unknown senders get a code; "hearth pairing approve CODE" admits them.
#[channels.telegram]
#kind = "telegram"
#token = "env:TELEGRAM_BOT_TOKEN"
# The agent that answers there.
#agent = "main"
# "webhook": the platform calls webhook_url, and a proxy that terminates TLS forwards it here. By default the platform
# is polled ("poll"), which needs no URL.
#mode = "webhook"
#webhook_url = "https://house.example/hooks/telegram"
# The secret that authenticates webhook calls. Default: derived from the token with HMAC-SHA-256.
#webhook_secret = "file:telegram-webhook.key"

# Who is admitted. mode: "pairing", as above; "allow": only the senders on the list, without a code; "open": anyone.
# Senders are identified by the platform's ids, which "hearth pairing list" shows.
#[channels.telegram.admission]
#mode = "allow"
#allow = ["123456789"]
#block = ["987654321"]
# Ignore groups.
#direct_only = true
# Wake the agent only for messages that mention it, except those of the senders in wake.
#mention_required = true
#wake = ["123456789"]

#[turns]
# How many tool calls an agent may make before it has to answer.
#max_tool_calls = 10
# How many times agents may wake each other in a row without a person's message, and how many times agents may reply to
# one message in total. A message of a person that mentions an agent is always answered.
#max_chain = 4
#max_replies = 12
# How many days the activation log is kept.
#log_days = 30

#[retention]
# How many days finished work is kept. Messages, brain versions and the audit log are kept for ever, the activation log
# for [turns] log_days. To see what takes space: hearth storage
# Updates that came in from channels, deliveries that went out, and webhook calls of jobs. Never less than log_days.
#delivery_days = 90
# Outcomes of job slots. The last one of each job stays.
#job_days = 365
# Daily sums of model usage, by agent, model and room.
#usage_days = 400

#[attachments]
# Files in messages, in MiB: the largest one, and all of one person, agent or house together.
#file_mib = 2048
#person_mib = 10240
#house_mib = 51200
# Pictures lose their metadata, such as the place where they were taken. To keep it: true
#keep_metadata = false
# An upload that no message names is deleted this long after it last grew.
#unnamed_hours = 24

#[cells]
# The default isolation of agents: "auto" (the fastest one with isolation that works here), "strongest" (the most isolated one),
# or one by name: "bubblewrap", "landlock", "qemu", "process", "inline". To see what works here: hearth doctor
#backend = "auto"
# An idle cell is hibernated after this many seconds.
#idle_seconds = 300
# Maximum of open cells. Another one replaces an idle one, or waits.
#max_open = 32
# A cell that is silent for this long is stopped. Time spent in models and tools does not count.
#silence_seconds = 120

# Resource limits of a cell, for the agent and its commands together. An agent's own limits override these.
#[cells.limits]
#memory_mib = 1024
#processes = 256
#cpus = 1
# Largest file.
#file_mib = 1024
# The workspace and the cell's own folders.
#disk_mib = 4096

# A call that waits for approval expires after this many hours, and is not made.
#[approvals]
#expire_hours = 24

# What all agents together may spend on models, in US dollars, and in tokens (day_tokens). To limit a single
# agent: hearth agent edit NAME --budget-day 2.50. "turn" limits one answer, including calls to other agents for it.
#[budget]
#turn = 0.50
#day = 10
#month = 100
# What happens to a call over the limit. "stop": it is refused. "ask": it waits for a person. A model: that one
# is used instead, as long as it fits.
#at_limit = "local/llama3.2"
# The price of models that Hearth does not know, in dollars per million tokens.
#unknown_price = { input = 15, output = 75 }

# Prices that override the built-in ones, by prefix of the model's name. Local models are free.
#[prices."openrouter/"]
#input = 3
#output = 15
#cache_read = 0.3

# When a conversation approaches its model's context size, its oldest part is replaced by notes in the agent's memory and a summary.
#[compaction]
# Tokens kept free for a turn. Default: a quarter of the context size, at most 32000.
#reserve = 20000
# The model that writes summaries. Default: the agent's own model.
#model = "local/llama3.2"
# Sizes in tokens by prefix of the model's name, where a conversation is to be compacted earlier or later than the model's context requires.
#[compaction.limits]
#"local/" = 16384

# What a model takes, by prefix of its name, where the built-in value is missing or wrong. Tokens: context, output (the longest answer).
# true or false: sees (pictures), hears (audio), documents (PDF), thinks, tools.
# Larger pictures are scaled down: picture_edge (longest edge in pixels), picture_bytes.
#[models."local/my-vision-model"]
#context = 32768
#sees = true

# How agents search their memory. "sqlite": an index by words and by meaning, in its own process that starts with the first search.
# "markdown": by words only, without a process, for small brains. "none": agents read their files themselves.
#[memory]
#backend = "sqlite"
# The embedder for the search by meaning. "local" (the default) is a model on this machine that sends nothing; "none" disables it; a server
# receives every text of a memory: "ollama", or "openai-compatible" for OpenAI's protocol. Changing it recomputes all vectors.
#embedder = "ollama"
#model = "nomic-embed-text"
# The length of the model's vectors.
#dimensions = 768
# Default for Ollama: http://127.0.0.1:11434. For others include the version: "https://api.openai.com/v1".
#base_url = "http://127.0.0.1:11434"
#api_key = "env:OPENAI_API_KEY"
# The default number of facts per search.
#top_k = 5
# Weights of meaning and words, instead of the learned ranking, which is usually better: ./hearth bench retrieval
#semantic = 0.7
#lexical = 0.3
# A fact about a day this many days ago has half the weight. Default: age has no effect.
#half_life_days = 90
# The index process ends after this many seconds without a search.
#idle_seconds = 600

# The engine of the tool web_search: "brave" (api_key = "env:BRAVE_API_KEY"), or your own "searxng".
#[search]
#kind = "searxng"
#base_url = "http://127.0.0.1:8080"

# Speech. Voice notes become text for models that do not hear: kind "openai", "deepgram", or "whisper", the server of whisper.cpp.
# Replies are read aloud: kind "openai", or "program" for espeak-ng or piper on this machine. Both are off without this table.
#[voice]
#transcribe = { kind = "whisper", base_url = "http://127.0.0.1:8080" }
#speak = { kind = "program", program = "espeak-ng", voice = "en" }

# The provider of the tools image_generate and image_edit: kind "openai", also of compatible servers (base_url), or "gemini". Agents have
# neither tool without this table. A picture costs its list price, or price_per_picture in dollars.
#[pictures]
#kind = "openai"
#api_key = "env:OPENAI_API_KEY"
#model = "gpt-image-2"

# The model that describes attached pictures for agents whose model does not see: one of a provider above, as provider/model. Each picture
# is described once, and the house pays. Without this table, such a model gets only the name of the picture and the text in it.
#[descriptions]
#model = "openai/gpt-5-mini"

# The running house makes a backup at this interval, and reports one that is late in "hearth doctor". A folder on another disk survives
# the loss of this one. To check and restore backups: hearth backup --help, hearth restore --help
#[backup]
#to = "/mnt/disk/hearth"
#every = "1d"
# How many backups of this house stay there.
#keep = 7
# Public keys of age. Backups are then encrypted, and only their secret keys can restore them.
#recipients = ["age1example"]
# Backups on another machine or in an S3-compatible store. every, keep and recipients are those above unless a target has its own.
#[backup.targets.offsite]
#to = "s3://house-backups/home?endpoint=https://s3.example.com&region=eu-central-1&access_key_id=env:AWS_ACCESS_KEY_ID&secret_access_key=env:AWS_SECRET_ACCESS_KEY"
#[backup.targets.nas]
#to = "sftp://house@nas/srv/hearth?identity_file=/home/me/.ssh/backup"

#[log]
# Where the daemon's log goes: "file" is logs/hearth.log, rotated within 40 MiB; "stderr"; both; or none: [].
#to = ["file"]
# The lowest level that is logged: "debug", "info", "warn", "error".
#level = "info"

# Where measurements of turns, model calls and tool calls go: "log"; "prometheus" (GET /metrics, with hearth key create --only metrics);
# "otlp" (traces and metrics to a collector); several; or none: []. They contain ids, durations and counts, and the names of models and tools;
# never text, and never the name of a person, an agent or a room.
#[observers]
#to = ["prometheus"]
#otlp_endpoint = "http://127.0.0.1:4318"
#otlp_headers = { "authorization" = "env:OTLP_AUTHORIZATION" }

# How long a browser stays logged in at most, and after how many minutes without a request it is logged out. Default: no such limit.
#[login]
#session_days = 30
#idle_minutes = 60

# Logins by OpenID Connect. The name is part of the address that the provider sends browsers back to: PUBLIC_URL/api/login/oidc/acme/callback
# To check the settings: hearth identity test acme
#[login.oidc.acme]
#issuer = "https://id.example"
#client_id = "hearth"
#client_secret = "env:OIDC_CLIENT_SECRET"
# The text of the button.
#label = "Example"
# Other hosts of the provider, if it answers requests for tokens and keys there.
#hosts = ["keys.id.example"]
# Allows addresses outside the public network, for a provider in your own one.
#private_network = false
# The claim with the groups of a person, and their levels on the house, applied at each login. People without one of these groups cannot log in.
#groups_claim = "groups"
#groups = { "staff" = "w", "admins" = "x" }
# By default only linked accounts log in. To create an account for everyone whom the provider knows:
#create_accounts = true
# What new people get: a level on the house, or on rooms.
#level = "w"
#rooms = ["kitchen"]

# Copies of the audit log in places that a change of this machine cannot reach: a web server that takes lines of JSON, syslog, or a file on
# another disk. A new target gets the log from its beginning.
#[audit.targets.collector]
#to = "https://collector.example.com/hearth"
#headers = { "authorization" = "secret:COLLECTOR" }
#[audit.targets.syslog]
#to = "syslog+tls://logs.example.com:6514"
#[audit.targets.disk]
#to = "file:///mnt/log/hearth-audit.jsonl"
`;
