import { randomBytes, randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { CommandIo } from '../cli/command/command.ts'
import type { Project } from '../cli/project/load-project.ts'
import { definePlugin } from '../kernel/plugin.ts'
import type { InjectRequest, InjectResponse } from '../service/http/inject.ts'

export interface TestProjectOptions {
  /** Folder with svc.toml. Default: the working directory. */
  readonly folder?: string
  /**
   * Environment variables of the service, without `DATABASE_URL`, which is ignored. Default: those of the test process.
   */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** The caller of a request in a test, for which `testProject` signs a token. */
export interface TestCaller {
  /** Claims of the caller's token: `{ sub: 'ann', tenant: 'north' }`. Default: the request has no token. */
  readonly claims?: Readonly<Record<string, unknown>>
}

export interface TestGraphQLRequest extends TestCaller {
  readonly variables?: Readonly<Record<string, unknown>>
}

export interface TestGraphQLResponse {
  // biome-ignore lint/suspicious/noExplicitAny: data of any document, which a test looks at with assertions
  readonly data?: any
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[]
}

/** A running project in a test: its service, with an in-memory database of its own. */
export interface TestedProject {
  /**
   * Sends an HTTP request to the service without a socket. All hooks run.
   * @param caller claims of the caller; default: no credential
   */
  inject(request: InjectRequest, caller?: TestCaller): Promise<InjectResponse>
  /** Runs a GraphQL operation and returns its response. @param request variables, and claims of the caller */
  graphql(query: string, request?: TestGraphQLRequest): Promise<TestGraphQLResponse>
  /** Closes the service and removes its in-memory database. */
  close(): Promise<void>
}

type Issue = (claims: Readonly<Record<string, unknown>>, seconds: number) => Promise<string>

const TOKEN_SECONDS = 3600

/**
 * Compiles a project and starts its service in a test, without a port and without changing a file. The database is in
 * memory and created from the scripts of `init_dir`; a server that svc.toml names is not used. A test describes a
 * caller by the claims of its token.
 *
 *     const shop = await testProject()
 *     const { data } = await shop.graphql('{ orders { id } }', { claims: { sub: 'ann' } })
 *     await shop.close()
 *
 * @throws SvcError if the configuration is invalid, a script fails, or a plugin cannot be set up
 * @throws Error when the schema does not compile; the message lists all faults
 */
export async function testProject(options: TestProjectOptions = {}): Promise<TestedProject> {
  const { loadProject } = await import('../cli/project/load-project.ts')
  const { folder = process.cwd(), env = process.env } = options
  const io = quietIo(folder, { SVC_LOG_LEVEL: 'error', ...env, DATABASE_URL: undefined })
  const configured = await loadProject({ input: folder, ignore: ['database.url'] }, io)
  const { url = '' } = configured.config.database
  const settings = [
    { flag: 'testProject', key: 'database.url', value: url.startsWith('sqlite:') ? 'sqlite:memory' : 'pglite:memory' },
    { flag: 'testProject', key: 'server.workers', value: '1' },
    { flag: 'testProject', key: 'server.shutdown_grace_ms', value: '0' },
  ]
  const project = await loadProject({ input: folder, settings }, quietIo(folder, withSecret(io.env, configured)))
  return boot(project, io)
}

async function boot(project: Project, io: CommandIo): Promise<TestedProject> {
  const [{ openProjectDatabase }, { createApp }, { loadPlugins }, { createSignals }] = await Promise.all([
    import('../cli/database/project-database.ts'),
    import('../service/app.ts'),
    import('../config/plugin-list.ts'),
    import('../service/signals/create-signals.ts'),
  ])
  const signals = createSignals()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const { database } = await openProjectDatabase(project, { purpose: 'run', signals, log, progress() {} })
  try {
    const schema = await compile(project, database, io)
    let issue: Issue | null = null
    const plugins = await loadPlugins(project.list.listed)
    const tokens = tokenPlugin((found) => {
      issue = found
    })
    const app = await createApp({
      config: project.config,
      baseDir: project.baseDir,
      log,
      signals,
      plugins: [...plugins, { plugin: tokens, options: {}, source: 'testProject' }],
      known: project.list.left,
      version: '0.0.0-test',
      loadSchema: async () => schema,
      database,
    })
    const inject = async (request: InjectRequest, { claims }: TestCaller = {}): Promise<InjectResponse> => {
      if (claims === undefined) return app.inject(request)
      if (issue === null)
        throw new Error('The project has no key to sign tokens with (JWT_SECRET): send your own header.')
      const authorization = `Bearer ${await issue(claims, TOKEN_SECONDS)}`
      return app.inject({ ...request, headers: { authorization, ...request.headers } })
    }
    return {
      inject,
      async graphql(query, { variables, ...caller } = {}) {
        const body = variables === undefined ? { query } : { query, variables }
        return (await inject({ url: '/graphql', body }, caller)).json()
      },
      close: () => app.close(),
    }
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Compiles the schema of the project with the catalog of the open database, and loads its functions. */
async function compile(
  project: Project,
  database: Parameters<typeof import('../cli/compile/compile-project.ts').compileProject>[2]['database'],
  io: CommandIo,
) {
  const [{ findInput }, { loadAuthored }, { compileProject }, { writeCompiledSchema }, { loadSchema }] =
    await Promise.all([
      import('../cli/compile/find-input.ts'),
      import('../cli/project/load-authored.ts'),
      import('../cli/compile/compile-project.ts'),
      import('../compiler/emit.ts'),
      import('../service/load-schema.ts'),
    ])
  const args = { positionals: [], flags: { config: project.file, offline: true } }
  const { input } = await findInput(args, io)
  const authored = await loadAuthored(project, input, io)
  const { compiled, faults } = await compileProject(
    project,
    authored.schema,
    { offline: false, check: true, database },
    io,
  )
  if (compiled === null) {
    const lines = faults.map(
      ({ message, place }) => `${place === null ? '' : `${place.file}:${place.line}: `}${message}`,
    )
    throw new Error(`The schema does not compile:\n${lines.join('\n')}`)
  }
  // The modules of the schema are found relative to the artifact.
  const artifact = join(dirname(project.artifact), `.svc-test-${randomUUID()}.json`)
  try {
    await writeCompiledSchema(artifact, compiled)
    return await loadSchema(artifact)
  } finally {
    await rm(artifact, { force: true })
  }
}

/** A plugin that hands over the function that makes tokens. The contract does not name it, because it knows no plugin. */
function tokenPlugin(onTokens: (issue: Issue | null) => void) {
  return definePlugin(
    {
      name: 'test-tokens',
      version: '0.1.0',
      kernelApi: 1,
      description: 'Makes tokens of callers for tests.',
      after: ['jwt'],
    },
    (scope) => {
      const tokens = scope.use('tokens' as never, { optional: true }) as { readonly issue: Issue | null } | undefined
      onTokens(tokens?.issue ?? null)
    },
  )
}

/** Adds a random secret for tokens, unless the project verifies tokens of an issuer. */
function withSecret(env: CommandIo['env'], { sources }: Project): CommandIo['env'] {
  const isConfigured = ['jwt_secret', 'jwks_uri', 'jwt_issuer'].some((key) => {
    const source = sources.get(`security.${key}`)
    return source !== undefined && source.layer !== 'default'
  })
  return isConfigured ? env : { ...env, JWT_SECRET: randomBytes(32).toString('hex') }
}

function quietIo(cwd: string, env: CommandIo['env']): CommandIo {
  return {
    cwd,
    env,
    isTerminal: false,
    stdout() {},
    stderr() {},
    stopSignal: () => new AbortController().signal,
    onReload: () => () => {},
  }
}
