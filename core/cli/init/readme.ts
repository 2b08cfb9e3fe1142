import type { AuthoringLanguage } from '../../introspect/print-schema.ts'
import { LANGUAGES } from '../introspect/authoring-languages.ts'
import { PYTHON_README } from './python-files.ts'
import type { Template } from './templates/template.ts'

const TABLES = `| \`db/01_tables.sql\` | tables |
| \`db/02_views.sql\` | what queries read |`

/** Texts of README.md by database. */
const DATABASES = {
  pglite: {
    where: (name: string): string =>
      `Without \`DATABASE_URL\` the data are in an embedded PostgreSQL under \`.svc/data\`, created from \`db/\` by the first compile or start.
Delete \`.svc/\` to start afresh. The same project on a server:

    createdb ${/^[a-z][a-z0-9_]*$/.test(name) ? name : `"${name}"`}
    cat db/*.sql | psql -v ON_ERROR_STOP=1 "$DATABASE_URL"
    DATABASE_URL=postgres://user:password@localhost/${encodeURIComponent(name)} npx svc run`,
    files: `${TABLES}
| \`db/03_functions.sql\` | what mutations call |
| \`db/04_data.sql\` | rows to start with |`,
  },
  sqlite: {
    where: (): string =>
      `Without \`DATABASE_URL\` the data are in the SQLite file \`.svc/data.db\`, created from \`db/\` by the first compile or start. Delete
\`.svc/\` to start afresh. \`node-sqlite3-wasm\` in package.json is used where Node has no SQLite that svc can use (before 22.16); do not open the
file with another program at the same time there.`,
    files: `${TABLES}
| \`db/03_data.sql\` | rows to start with |
| \`db/functions/\` | what mutations call: a script each |`,
  },
} as const

/**
 * Returns the text of README.md for a project that `svc init` creates.
 * @param name name of the project
 */
export function printReadme(
  name: string,
  database: keyof typeof DATABASES,
  { tryIt }: Pick<Template, 'tryIt'>,
  language: AuthoringLanguage = 'typescript',
): string {
  const chosen = DATABASES[database]
  const { entry } = LANGUAGES[language]
  const isPython = language === 'python'
  const text = `# ${name}

    npm install         # once: brings svc into node_modules
    npx svc compile     # checks schema.ts against the database, writes schema.json and schema.compiled.json
    npx svc run         # http://localhost:8080/graphql, with a query editor in the browser

${chosen.where(name)}

| File | Holds |
|---|---|
| \`schema.ts\` | the API: types, queries, mutations |
| \`schema.json\` | the same as data, written by \`svc compile\` |
${chosen.files}
| \`test/api.test.ts\` | tests of the API, on a database of their own |
| \`svc.toml\` | database, plugins, address, who may call |
| \`package.json\`, \`tsconfig.json\`${isPython ? ', `pyproject.toml`' : ''} | which svc; what editors and \`npm run types\` need |

\`npm run compile\`, \`npm start\`, \`npm run dev\` (compiles and reloads on every change), \`npm test\` and \`npm run types\` do what they say. On npm's registry the name \`svc\`
belongs to another package: run \`npx svc\` only where \`npm install\` has put this one.

${isPython ? `${PYTHON_README}\n` : ''}## Try

${tryIt}`
  return text.replaceAll('schema.ts', entry)
}
