/** svc.toml of a new project. */
export function printConfig(name: string): string {
  return `[project]
name = ${JSON.stringify(name)}

[plugins]
preset = "standard"                 # minimal | standard | full

# Without DATABASE_URL: the embedded PostgreSQL, in a folder of this project, filled from db/ on the first start.
[database]
url = "\${DATABASE_URL:-pglite:.svc/data}"

[svc]
schema_file = "schema.ts"

# Everybody may call this API without a credential, so that you can try it at once. Write "authenticated" before other
# people reach it, and mark with \`public: true\` in schema.ts what stays open.
[security]
default_policy = "public"
`
}

/** .gitignore of a new project. */
export const GITIGNORE = `.svc/
node_modules/
schema.compiled.json
`
