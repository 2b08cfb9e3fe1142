/** Lines of svc.toml by database. */
const DATABASES = {
  pglite: {
    plugins: '',
    database: `# Without DATABASE_URL: the embedded PostgreSQL, in a folder of this project, filled from db/ on the first start.
[database]
url = "\${DATABASE_URL:-pglite:.svc/data}"
`,
  },
  sqlite: {
    plugins: 'enable = ["sqlite"]\n',
    database: `# Without DATABASE_URL: an SQLite file in this project, filled from db/ on the first start.
[database]
url = "\${DATABASE_URL:-sqlite:.svc/data.db}"
functions = "db/functions"          # scripts that stand in for stored functions
`,
  },
} as const

/** Returns svc.toml of a new project. */
export function printConfig(name: string, database: keyof typeof DATABASES = 'pglite'): string {
  const chosen = DATABASES[database]
  return `[project]
name = ${JSON.stringify(name)}

[plugins]
preset = "standard"                 # minimal | standard | full
${chosen.plugins}
${chosen.database}
# Only this machine reaches it. In a container, or behind a proxy on another machine: "0.0.0.0".
[server]
host = "127.0.0.1"

[svc]
schema_file = "schema.ts"

# Whoever reaches this API may call it without a credential, so that you can try it at once. Before other people do:
# "authenticated" here, a secret that tokens are signed with in JWT_SECRET (openssl rand -hex 32), or the issuer that makes
# them in jwt_issuer (the guide "Authenticate callers"), and \`public: true\` in schema.ts on what stays open.
[security]
default_policy = "public"
`
}

/** .gitignore of a new project. */
export const GITIGNORE = `.svc/
node_modules/
schema.compiled.json
`
