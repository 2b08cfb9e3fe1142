import { readVersion } from '../../base/packages/own-package.ts'
import { redactText } from '../../base/util/redact-text.ts'
import type { DatabaseModel } from '../../contract/database-model.ts'
import type { ReportEntry } from '../../introspect/proposal.ts'
import type { CompiledSchema } from '../../schema/compiled.ts'
import type { App } from '../../service/app.ts'
import { databaseNameOf, hasSecret } from '../database/database-url.ts'
import { printReport } from '../introspect/print-report.ts'
import { describeModel } from '../introspect/read-proposal.ts'

/** What `svc serve` serves and prints: a database without a project, with the schema that svc proposes for it. */
export interface ServedDatabase {
  /** URL of the service, without a slash at the end. */
  readonly address: string
  /** URL of the database. It may contain a password. */
  readonly url: string
  /** `true`: the driver is that of a plugin that is not part of svc. */
  readonly isForeign: boolean
  readonly model: DatabaseModel
  readonly compiled: CompiledSchema
  readonly report: readonly ReportEntry[]
  readonly writes: boolean
  /** Path prefix of the REST routes; `null`: REST is not served. */
  readonly restPath: string | null
  readonly app: Pick<App, 'kernel' | 'database'>
  /** Seconds from the start of the process until the service accepted requests. */
  readonly seconds: number
}

interface Urls {
  readonly graphql: string | null
  readonly rest: string | null
  readonly openapi: string | null
}

function urlsOf({ address, app, restPath }: ServedDatabase): Urls {
  const { routes } = app.kernel
  const find = (plugin: string, path: RegExp): string | null => {
    const route = routes.find((one) => one.plugin === plugin && path.test(one.path))
    return route === undefined ? null : `${address}${route.path}`
  }
  return {
    graphql: find('graphql', /./),
    rest: restPath === null ? null : `${address}${restPath}`,
    openapi: find('openapi', /\/openapi$/),
  }
}

/** Names that a line shows. */
const NAMES = 8

/**
 * Formats the text that `svc serve` prints when it is ready: the database, its tables and the endpoints.
 * @param isVerbose `true`: lists all names; `false`: only the first ones
 */
export function printServed(served: ServedDatabase, isVerbose: boolean): string {
  const { url, isForeign, model, compiled, report, writes, app, seconds } = served
  const { graphql, rest, openapi } = urlsOf(served)
  const editor = app.kernel.describe().plugins.some(({ name }) => name === 'graphiql')
    ? '  (in a browser: the query editor)'
    : ''
  const rows: readonly (readonly [string, string | null])[] = [
    ['GraphQL', graphql === null ? null : `${graphql}${editor}`],
    ['REST', rest],
    ['OpenAPI', openapi],
    ['Database', `${app.database.kind} at ${redactText(url)}: ${describeModel(model)}`],
    [
      'Types',
      listSome(
        compiled.types.map(({ name }) => name),
        isVerbose,
      ),
    ],
    [
      'Queries',
      listSome(
        compiled.queries.map((one) => one.wire_name),
        isVerbose,
      ),
    ],
    [
      'Mutations',
      compiled.mutations.length === 0
        ? null
        : listSome(
            compiled.mutations.map((one) => one.wire_name),
            isVerbose,
          ),
    ],
  ]
  const lines = rows.flatMap(([label, value]) => (value === null ? [] : [`  ${label.padEnd(9)} ${value}`]))
  const left = printReport(report, isVerbose)
  const query = sampleQuery(compiled)
  const { command, note } = initCommandFor(url)
  return [
    `svc ${readVersion()} serves ${databaseNameOf(url)} ${writes ? 'with its functions that write' : 'read-only'}, to this machine only (ready in ${seconds.toFixed(1)} s)`,
    ...lines,
    ...(left.length === 0 ? [] : ['', ...left, ...(isVerbose ? [] : ['  Everything: --verbose'])]),
    ...(query === null || graphql === null
      ? []
      : [
          '',
          'Try:',
          ...query
            .trimEnd()
            .split('\n')
            .map((line) => `  ${line}`),
        ]),
    '',
    ...(isForeign
      ? [
          'Turn it into a project: run svc init NAME, set plugins.use and database.url in its svc.toml, and run',
          '  svc introspect --write',
        ]
      : [`Turn it into a project, with access rules and files to edit:${note}`, `  ${command}`]),
    'Stop with Ctrl+C.',
    '',
  ].join('\n')
}

function listSome(names: readonly string[], isVerbose: boolean): string {
  if (isVerbose || names.length <= NAMES) return `${names.length}: ${names.join(', ')}`
  return `${names.length}: ${names.slice(0, NAMES).join(', ')} and ${names.length - NAMES} more`
}

/**
 * Returns the `svc init` command line that creates a project for the database. A URL with a secret is replaced by
 * `$DATABASE_URL`, and `note` tells the user to set it.
 */
export function initCommandFor(url: string): { readonly command: string; readonly note: string } {
  const name = databaseNameOf(url)
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const start = `svc init ${name || 'api'} --database`
  if (hasSecret(url)) return { command: `${start} "$DATABASE_URL"`, note: ' (set DATABASE_URL to the URL first)' }
  return { command: `${start} ${/^[\w:/.@%-]+$/.test(url) ? url : `'${url.replaceAll("'", "'\\''")}'`}`, note: '' }
}

/** Fields of the query to try. */
const FIELDS = 3
const PLAIN = /^(?:ID|String|Int|Float|Boolean|DateTime|Date|Decimal|BigInt|UUID)!?$/

/**
 * Returns a GraphQL query that a user can try first: it reads the first 5 rows of a list.
 * @returns `null`: no list can be queried without arguments and has scalar fields
 */
export function sampleQuery({ queries, types }: CompiledSchema): string | null {
  for (const { wire_name: name, type: result, arguments: args = [], auto_params: flags } of queries) {
    const list = /^\[(\w+)!?\]!?$/.exec(result)?.[1]
    const type = types.find((one) => one.name === list)
    if (type === undefined || args.some((argument) => argument.type.endsWith('!'))) continue
    const fields = type.fields.filter((field) => PLAIN.test(field.type)).slice(0, FIELDS)
    if (fields.length === 0) continue
    const names = fields.map((field) => field.wire_name).join(' ')
    return `{\n  ${name}(limit: 5) {\n    ${flags.total_count ? `items { ${names} }` : names}\n  }\n}\n`
  }
  return null
}
