import { readCatalogs } from '../../core/cli/compile/compile-project.ts'
import type { CompileOptions } from '../../core/compiler/compile.ts'
import type { Config } from '../../core/contract/config.ts'
import type { Database } from '../../core/contract/database.ts'
import type { Signal } from '../../core/contract/signals.ts'
import type { PluginInstance } from '../../core/kernel/kernel-options.ts'
import type { AuthoredSchema } from '../../core/schema/authored.ts'
import { type LinkOptions, linkSchema } from '../../core/schema/link/link.ts'
import type { SchemaModel } from '../../core/schema/model.ts'
import { type App, createApp } from '../../core/service/app.ts'
import type { InjectResponse } from '../../core/service/http/inject.ts'
import type { ServiceLog } from '../../core/service/plugins/service-kernel-options.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import { minimal } from '../../presets/minimal.ts'
import { compileArtifact, readCatalogFor } from './compile-fixture.ts'
import { serviceConfigWith } from './config.ts'
import type { TestDatabase } from './databases.ts'
import { openTestDatabase } from './open-database.ts'
import type { TestLike } from './services.ts'

/** Body of a GraphQL answer. */
export interface GraphQLBody {
  // biome-ignore lint/suspicious/noExplicitAny: a response of any shape, looked at by assertions
  readonly data?: any
  readonly errors?: readonly {
    readonly message: string
    readonly path?: readonly (string | number)[]
    readonly locations?: readonly unknown[]
    readonly extensions: Readonly<Record<string, unknown>>
  }[]
}

export interface GraphQLAnswer extends GraphQLBody {
  readonly status: number
  readonly headers: InjectResponse['headers']
}

export interface TestApp extends App {
  /** Everything that was signalled, oldest first. */
  readonly signals: readonly Signal[]
  /** POSTs a GraphQL request, without a socket. */
  graphql(query: string, variables?: object, headers?: Readonly<Record<string, string>>): Promise<GraphQLAnswer>
}

export interface OpenAppOptions {
  /** Where the service finds the database, when it is not where the schema is compiled: behind a proxy, say. */
  readonly url?: string
  readonly database?: Partial<Config['database']>
  readonly server?: Partial<Config['server']>
  readonly svc?: Partial<Config['svc']>
  readonly debug?: Partial<Config['debug']>
  readonly sessionVariables?: Config['session_variables']
  /** `project.name`, which the keys of stores begin with. */
  readonly project?: string
  /** Default: open to everybody. */
  readonly defaultPolicy?: Config['security']['default_policy']
  /** What `svc compile` knows besides the schema: plugins' parts, defaults of svc.toml. */
  readonly compile?: Partial<CompileOptions>
  /** Functions of the author's. */
  readonly link?: LinkOptions
  /** Loads another schema than that of the test, for reloads by path. */
  readonly load?: (path: string) => Promise<SchemaModel>
  /** Where lines of the log go. Default: nowhere. */
  readonly log?: ServiceLog
  readonly describeConfig?: () => Readonly<Record<string, unknown>>
  /** Databases beside the default one: opened where the service finds them, compiled with. */
  readonly databases?: Readonly<Record<string, TestDatabase & { readonly served?: string }>>
  /** Beside those of the minimal preset, or in the place of one of them. */
  readonly plugins?: readonly PluginInstance[]
}

async function openBeside(t: TestLike, databases: NonNullable<OpenAppOptions['databases']>) {
  const opened = new Map<string, Database>()
  for (const [name, one] of Object.entries(databases)) opened.set(name, await openTestDatabase(t, one))
  return opened
}

/** Where the service finds a database elsewhere than the compiler: behind a proxy, say. */
async function openServed(
  t: TestLike,
  databases: NonNullable<OpenAppOptions['databases']>,
  opened: ReadonlyMap<string, Database>,
) {
  const served = new Map(opened)
  for (const [name, { served: url }] of Object.entries(databases)) {
    if (url !== undefined) served.set(name, await openTestDatabase(t, { kind: 'postgres', url }))
  }
  return served
}

/** The real service with the minimal preset: this schema over this database, open to everybody, on a free port. */
export async function openApp(
  t: TestLike,
  test: TestDatabase,
  authored: AuthoredSchema,
  options: OpenAppOptions = {},
): Promise<TestApp> {
  const database = await openTestDatabase(t, test)
  const beside = await openBeside(t, options.databases ?? {})
  const catalog = await (beside.size === 0
    ? readCatalogFor(authored, database)
    : readCatalogs(authored, database, beside))
  const others = beside.size === 0 ? {} : { databases: beside }
  const compiled = compileArtifact(authored, catalog, { dialect: database.dialect, ...others, ...options.compile })
  const schema = linkSchema(compiled, options.link)
  const signals = createSignals()
  const seen: Signal[] = []
  signals.subscribe((signal) => seen.push(signal))
  const plugins = await Promise.all(
    minimal.plugins.map(async ({ load }) => ({ plugin: (await load()).default, options: {}, source: 'test' })),
  )
  const given = options.plugins ?? []
  const isGiven = (name: string): boolean => given.some(({ plugin }) => plugin.manifest.name === name)
  const { role_claim: _, anonymous_role: __, ...opening } = options.database ?? {}
  const ownDatabase = options.url !== undefined || Object.keys(opening).length > 0
  const app = await createApp({
    config: serviceConfigWith({
      database: { url: options.url ?? test.url, ...options.database },
      server: options.server ?? {},
      svc: options.svc ?? {},
      debug: options.debug ?? {},
      project: options.project === undefined ? {} : { name: options.project },
      security: { default_policy: options.defaultPolicy ?? 'public' },
      session_variables: options.sessionVariables ?? {},
    }),
    baseDir: process.cwd(),
    log: options.log ?? { debug() {}, info() {}, warn() {}, error() {} },
    signals,
    plugins: [...plugins.filter(({ plugin }) => !isGiven(plugin.manifest.name)), ...given],
    version: '0.0.0-test',
    loadSchema: async (path) => (path === undefined || options.load === undefined ? schema : options.load(path)),
    ...(options.describeConfig === undefined ? {} : { describeConfig: options.describeConfig }),
    // An embedded database is opened by one at a time: the one that the schema was compiled on goes on.
    ...(ownDatabase ? {} : { database }),
    ...(beside.size === 0 ? {} : { databases: await openServed(t, options.databases ?? {}, beside) }),
  })
  t.teardown(() => app.close())
  return {
    ...app,
    signals: seen,
    async graphql(query, variables, headers = {}) {
      const reply = await app.inject({ method: 'POST', url: '/graphql', headers, body: { query, variables } })
      return { status: reply.status, headers: reply.headers, ...reply.json<GraphQLBody>() }
    },
  }
}
