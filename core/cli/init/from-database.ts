import { basename } from 'node:path'
import type { FlagValue } from '../../config/load-config.ts'
import { addWrites } from '../../introspect/crud/propose-crud.ts'
import { type AuthoringLanguage, printSchema } from '../../introspect/print-schema.ts'
import type { Proposal } from '../../introspect/proposal.ts'
import type { CommandArgs, CommandIo } from '../command/command.ts'
import { type DatabaseUrl, hasSecret, urlFrom } from '../database/database-url.ts'
import { openUrl } from '../database/open-url.ts'
import { LANGUAGES } from '../introspect/authoring-languages.ts'
import { compileProposal } from '../introspect/compile-proposal.ts'
import { printRecord, RECORD } from '../introspect/introspection-record.ts'
import { describeModel, readProposal, readSelection } from '../introspect/read-proposal.ts'
import { Steps } from '../introspect/steps.ts'
import { PYTHON_README } from './python-files.ts'

/** The files that `svc init --database` writes, with what it tells the user about the database. */
export interface DatabaseProject {
  /** Text of each file by its path, in the order in which a user should read them. */
  readonly files: Readonly<Record<string, string>>
  readonly report: Proposal['report']
  /** Summary of the database: `12 tables, 3 views`. */
  readonly database: string
  /** `true`: the user has to set DATABASE_URL, because the URL contains a secret, which svc writes to no file. */
  readonly needsUrl: boolean
}

/**
 * Prepares the files of a project for an existing database (`svc init --database`). It reads the database, and writes
 * no file.
 * @param folder absolute path of the project
 * @throws SvcError SVC_USAGE for an invalid URL; SVC_DATABASE_UNREACHABLE; SVC_DATABASE_EMPTY: there is no table or
 * view to serve
 */
export async function proposeProject(
  folder: string,
  url: DatabaseUrl,
  language: AuthoringLanguage,
  args: CommandArgs,
  io: CommandIo,
): Promise<DatabaseProject> {
  const steps = new Steps(io, 4, args.flags.quiet === true)
  const selection = readSelection(args)
  const writes = args.flags.write === true
  const settings: readonly FlagValue[] = [{ flag: 'svc init', key: 'security.default_policy', value: 'public' }]
  const { project, database } = await steps.run('Connecting', () => openUrl(url, io, settings))
  try {
    const isCrud = args.flags.crud === true
    const options = { writes, ...(isCrud ? { crud: {} } : {}) }
    const { model, crud, ...proposal } = await readProposal(database, selection, options, steps)
    const { schema: base, report } = await steps.run('Compiling the schema', () =>
      compileProposal(project, proposal, database, io),
    )
    const { schema, files: scripts } = crud === null ? { schema: base, files: [] } : addWrites(base, crud)
    const needsUrl = hasSecret(url.url)
    const name = basename(folder)
    const facts = {
      name,
      language,
      url: urlFrom(url.url, io.cwd, folder),
      plugin: url.plugin,
      needsUrl,
      ...selection,
      writes,
      crud: isCrud,
    }
    const printed = printSchema(schema, language)
    const files = {
      'svc.toml': printDatabaseConfig(facts),
      ...Object.fromEntries(printed.map(({ path, text }) => [path, text])),
      ...Object.fromEntries(scripts.map(({ path, text }) => [path, text])),
      [RECORD]: printRecord({ schema, files: printed }),
      'README.md': printDatabaseReadme(facts),
    }
    return { files, report, database: describeModel(model), needsUrl }
  } finally {
    await database.close()
  }
}

/** Facts of a project for svc.toml and README.md. */
interface DatabaseFacts {
  readonly name: string
  /** URL with paths relative to the folder of the project. */
  readonly url: string
  /** Plugin with the driver. */
  readonly plugin: string
  readonly needsUrl: boolean
  readonly schemas: readonly string[]
  readonly exclude: readonly string[]
  readonly writes: boolean
  readonly crud: boolean
  readonly language: AuthoringLanguage
}

/** Plugins with drivers that every preset contains. */
const IN_PRESETS = ['postgres', 'pglite']

function printDatabaseConfig(facts: DatabaseFacts): string {
  const { name, url, plugin, needsUrl, schemas, exclude, writes, crud, language } = facts
  const enable = IN_PRESETS.includes(plugin) ? '' : `enable = [${JSON.stringify(plugin)}]\n`
  const database = needsUrl
    ? `# The URL contains a password, so it is in the environment and in no file of the project:
#   export DATABASE_URL='${plugin}://…'
[database]
url = "\${DATABASE_URL}"`
    : `# DATABASE_URL, if it is set, names the database of another environment.
[database]
url = ${JSON.stringify(`\${DATABASE_URL:-${url}}`)}`
  const introspect = [
    ...(schemas.length === 0 ? [] : [`schemas = ${printList(schemas)}`]),
    ...(exclude.length === 0 ? [] : [`exclude = ${printList(exclude)}`]),
    ...(writes ? ['mutations = true'] : []),
    ...(crud ? ['crud = true'] : []),
  ]
  const functions = crud && plugin === 'sqlite' ? '\nfunctions = "db/functions"' : ''
  return `[project]
name = ${JSON.stringify(name)}

[plugins]
preset = "standard"                 # minimal | standard | full
${enable}
${database}${functions}

# Only this machine reaches it. In a container, or behind a proxy on another machine: "0.0.0.0".
[server]
host = "127.0.0.1"

[svc]
schema_file = "${LANGUAGES[language].entry}"
create_tables = false               # svc creates no tables in this database; see \`svc tables\`

# Every operation requires a credential: set JWT_SECRET (openssl rand -hex 32) or jwt_issuer, see the guide "Authenticate callers".
# To try the API on this machine without one:
#   SVC_SECURITY__DEFAULT_POLICY=public npx svc run
[security]
default_policy = "authenticated"
${introspect.length === 0 ? '' : `\n# What \`svc introspect\` reads.\n[introspect]\n${introspect.join('\n')}\n`}`
}

function printList(names: readonly string[]): string {
  return `[${names.map((each) => JSON.stringify(each)).join(', ')}]`
}

/** README.md of a project for an existing database. */
function printDatabaseReadme({ name, needsUrl, crud, plugin, language }: DatabaseFacts): string {
  const first = needsUrl
    ? `    export DATABASE_URL='${plugin}://…'   # contains the password, so it is in no file\n`
    : ''
  const apply =
    crud && plugin !== 'sqlite'
      ? '    npx svc db apply    # creates the functions of db/functions in the database\n'
      : ''
  const isPython = language === 'python'
  const text = `# ${name}

An API for an existing database, written by \`svc init --database\`.

${first}    npm install         # once: brings svc into node_modules
${apply}    npx svc compile     # compares schema.ts with the database, writes schema.json and schema.compiled.json
    npx svc run         # http://localhost:8080/graphql, with a query editor in the browser

Every operation requires a credential (\`default_policy\` in \`svc.toml\`). To try the API on this machine without one:

    SVC_SECURITY__DEFAULT_POLICY=public npx svc run

| File | Holds |
|---|---|
| \`schema.ts\` | the API: types, queries, mutations. Yours to edit |
| \`schema.json\` | the same as data, written by \`svc compile\` |
| \`schema.introspected.json\` | the schema as it was last proposed, which \`svc introspect --write\` compares yours with. Commit it, and do not edit it |
${crud ? '| `db/functions` | functions that write the tables, generated from their columns. An edited file is not generated again |\n' : ''}| \`svc.toml\` | database, plugins, address, access |
| \`package.json\`, \`tsconfig.json\`${isPython ? ', `pyproject.toml`' : ''} | version of svc; settings for editors and \`npm run types\` |

## When the database changes

    npx svc introspect --diff     # lists where the schema and the database differ; exit code 1 if they do
    npx svc introspect --write    # adds and updates in schema.ts, and leaves alone what you have edited

Remove a field or a type from \`schema.ts\` and it stays removed. Names can be set under \`[introspect.types]\` and
\`[introspect.fields]\` in \`svc.toml\`.
${isPython ? `\n${PYTHON_README}` : ''}`
  return text.replaceAll('schema.ts', LANGUAGES[language].entry)
}
