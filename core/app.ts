import { createSessionVariables } from './access/session-variables.ts'
import type { AppConfig } from './config/app-config.ts'
import type { Database } from './contract/database.ts'
import { createEngine, type Explain } from './execute/resolve.ts'
import { createCacheability } from './http/cacheability.ts'
import { callersOf } from './http/callers-of.ts'
import { type InjectRequest, type InjectResponse, inject } from './http/inject.ts'
import { callHandler, createOverdue, createPipeline } from './http/pipeline.ts'
import { renewTls } from './http/renew-tls.ts'
import { createGenerationRouter } from './http/router.ts'
import { createServer } from './http/server.ts'
import { loadTls } from './http/tls.ts'
import { createUpgradePipeline } from './http/upgrade-pipeline.ts'
import { createKernel } from './kernel/kernel.ts'
import type { KernelOptions } from './kernel/kernel-options.ts'
import type { Kernel } from './kernel/running-kernel.ts'
import { isAnonymousWork } from './lifecycle/anonymous-work.ts'
import { createAuthorizer } from './lifecycle/authorize-operation.ts'
import { commentStatements } from './lifecycle/comment-statements.ts'
import { createDefaultPolicy } from './lifecycle/default-policy.ts'
import { createEntrance } from './lifecycle/enter.ts'
import { createExplainer } from './lifecycle/explain-operation.ts'
import { guardPreconditions } from './lifecycle/guard-preconditions.ts'
import { createIdentity } from './lifecycle/identity.ts'
import { createObserve } from './lifecycle/observe.ts'
import { observeDatabase } from './lifecycle/observe-database.ts'
import { observePlans } from './lifecycle/observe-plans.ts'
import { OWN_WORK, type PlainExchange } from './lifecycle/plain-exchange.ts'
import { reportRefusals } from './lifecycle/report-refusal.ts'
import { createOperationRunner } from './lifecycle/run-operation.ts'
import { observersOf } from './observers-of.ts'
import type { SchemaModel } from './schema/model.ts'
import { ServedDatabases } from './served-databases.ts'
import { settlesWithin } from './util/settles-within.ts'

/** What is closed after the requests has at least this long, however little of `shutdown_timeout_ms` they left. */
const LEAST_CLOSE_MS = 1000

/** Of a configuration without that section. */
const NO_VARIABLES = { variables: [] } as const

export interface AppOptions
  extends Pick<
    KernelOptions,
    'plugins' | 'known' | 'log' | 'signals' | 'version' | 'workers' | 'peers' | 'describeConfig' | 'onBootStep'
  > {
  /** The checked configuration; `svc run` makes it with `loadConfig`. */
  readonly config: AppConfig & Readonly<Record<string, unknown>>
  /** Absolute path that relative paths in the configuration start from. */
  readonly baseDir: string
  /**
   * Gives the schema: once at boot, again at every reload.
   * @param path another artifact than the configured one, relative to `baseDir`
   */
  readonly loadSchema: (path?: string) => Promise<SchemaModel>
  /** An opened database instead of the configured one. The app closes it. */
  readonly database?: Database
  /** The same of `[databases]`. */
  readonly databases?: ReadonlyMap<string, Database>
}

/** The running service. */
export interface App {
  readonly kernel: Kernel
  readonly database: Database
  /** Those of `[databases]`, by name. */
  readonly databases: ReadonlyMap<string, Database>
  /** Serves one request without a socket. */
  inject(request: InjectRequest): Promise<InjectResponse>
  /** @returns the URL. @throws SvcError SVC_LISTEN_FAILED */
  listen(): Promise<string>
  /** Loads the schema again and swaps; a failure keeps the old one and is thrown. */
  reload(): Promise<'swapped' | 'unchanged'>
  /** Drains and stops, in order: readiness, listener, requests in flight, plugins, database. */
  close(): Promise<void>
}

/**
 * The composition root: what runs, in the order in which it comes to be. Readable top to bottom; logic lives in the
 * parts.
 * @throws SvcError SVC_BOOT_FAILED, SVC_DATABASE_MISSING, SVC_CONFIG_INVALID, SVC_SCHEMA_*
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { config, baseDir, signals } = options
  const bootStarted = performance.now()
  const { max_response_bytes: maxResultBytes } = config.svc
  let tls = await loadTls(config.server.tls, baseDir)
  const databases = new ServedDatabases(options, signals)
  const loadSchema = async (path?: string): Promise<SchemaModel> => databases.check(await options.loadSchema(path))
  const schema = await loadSchema()
  const router = createGenerationRouter()

  const kernel: Kernel = await createKernel({
    ...options,
    loadSchema,
    async reloadOthers() {
      if (tls === null) return
      tls = await renewTls(config.server.tls, baseDir, tls, { use: (material) => server.renewTls(material), signals })
    },
    schema,
    drainTimeoutMs: config.server.shutdown_timeout_ms,
    mount: (generation, routes) => router.mount(generation, routes),
    openDatabase(drivers) {
      const context = { baseDir, signals, maxResultBytes, workers: config.server.workers }
      return databases.open(drivers, config, context, schema)
    },
    databases: () => databases.others,
    run: (_kernel, exchange, operation) => runOperation(exchange, operation),
    explain: (exchange, operation, wanted) => explain(exchange, operation, wanted),
    authorize: (exchange, operation) => authorizeOperation(exchange, operation),
    readSources: (exchange, operation) => engine.readSources(exchange, operation),
    answerKey: (exchange, operation) => engine.answerKey(exchange, operation),
    plan: (exchange, operation) => engine.plan(exchange, operation),
    identify: (exchange) => identity.identify(exchange),
    enter: (arrival, handler) => entrance.enter(arrival, handler),
  }).catch(async (error: unknown) => {
    await databases.discard()
    throw error
  })
  const { main: database, others } = databases
  const { toPublicError } = kernel

  const { authorize, resolve, authenticate, onRequest, afterCommit } = kernel.hooks
  const observe = createObserve(observersOf(kernel, config, signals), signals)
  const prepare = (each: Database, name: string): Database =>
    observeDatabase(observe, commentStatements(each, kernel.comments, signals), name)
  const observedDatabase = prepare(database, 'default')
  const { observePlan, noting } = observePlans(observe)
  const engine = createEngine({
    observePlan,
    database: () => observedDatabase,
    databases: new Map([...others].map(([name, other]) => [name, prepare(other, name)])),
    settings: {
      maxRows: config.svc.max_rows,
      maxSortKeys: config.svc.max_sort_keys,
      maxGroupKeys: config.svc.max_group_keys,
    },
    maxResultBytes,
    streamIdleMs: config.server.request_timeout_ms,
    moments: kernel.momentsOf,
    contributions: kernel.contributions,
    ...(afterCommit === null ? {} : { onCommit: afterCommit }),
  })
  const guards = {
    defaultPolicy: createDefaultPolicy(config.security.default_policy, kernel.names),
    authorize,
    sessionVariables: createSessionVariables({ session_variables: NO_VARIABLES, ...config }),
  }
  const innermost = observe('engine', noting(reportRefusals(engine.resolve, signals)))
  const authorizeOperation = createAuthorizer(guards)
  const runOperation = guardPreconditions(
    observe('operation', createOperationRunner({ ...guards, resolve, innermost })),
    authorizeOperation,
  )
  const explain: Explain = createExplainer({ ...guards, explain: reportRefusals(engine.explain, signals) })
  const identity = createIdentity(authenticate === null ? null : observe('authenticate', authenticate), isAnonymousWork)
  const stages = {
    onRequest,
    authenticate: identity.authenticate,
    toPublicError,
    callHandler: observe('handler', callHandler),
  }
  const pipeline = observe('exchange', createPipeline({ ...stages, router }))
  const entrance = createEntrance({
    generation: () => kernel.generation,
    pipeline: observe('exchange', createPipeline<PlainExchange>({ ...stages, router: OWN_WORK })),
    failOverdue: createOverdue<PlainExchange>({ router: OWN_WORK, toPublicError }),
    deadlineMs: config.server.request_timeout_ms,
  })
  const upgrades =
    kernel.upgrades.length === 0
      ? null
      : createUpgradePipeline(kernel.upgrades, stages, (run) => observe('exchange', run))
  const cacheability = createCacheability(callersOf(kernel, config))
  const sending = { maxBodyBytes: config.server.max_body_bytes, cacheability }
  const server = createServer(
    {
      pipeline,
      generation: () => kernel.generation,
      toPublicError,
      failOverdue: createOverdue({ router, toPublicError }),
      upgrades,
      cacheability,
    },
    {
      host: config.server.host,
      port: config.server.port,
      requestTimeoutMs: config.server.request_timeout_ms,
      keepAliveMs: config.server.keep_alive_secs * 1000,
      maxBodyBytes: config.server.max_body_bytes,
      shutdownGraceMs: config.server.shutdown_grace_ms,
      shutdownTimeoutMs: config.server.shutdown_timeout_ms,
      maxUpgradedConnections: config.server.max_upgraded_connections,
      tls,
    },
  )

  let closing: Promise<void> | null = null
  async function close(): Promise<void> {
    const { shutdown_grace_ms: grace, shutdown_timeout_ms: timeout } = config.server
    const end = performance.now() + grace + timeout
    /** Whoever hangs is left behind: a process that was told to stop must end. */
    async function closePart(part: string, closed: Promise<void>): Promise<void> {
      if (await settlesWithin(closed, Math.max(LEAST_CLOSE_MS, end - performance.now()))) return
      const message = `The ${part} did not close within server.shutdown_timeout_ms (${timeout} ms) and is left behind.`
      signals.emit({ type: 'warning', plugin: 'kernel', message })
    }
    const drained = kernel.drain()
    signals.emit({ type: 'server-draining' })
    await Promise.all([server.close(), drained, entrance.drain(grace + timeout)])
    try {
      await closePart('plugins', kernel.close())
    } finally {
      await closePart('database', databases.close())
      signals.emit({ type: 'server-closed' })
    }
  }

  try {
    databases.keep(kernel.contributions, schema)
    await kernel.ready()
  } catch (error) {
    // Why the boot failed is what has to be known, whatever else fails; and each part is closed whatever became of the others.
    const report = ({ message }: Error): void => signals.emit({ type: 'warning', plugin: 'kernel', message })
    await kernel.drain()
    await kernel.close().catch(report)
    await databases.discard()
    throw error
  }

  return {
    kernel,
    database,
    databases: others,
    inject: (request) => inject(pipeline, kernel.generation, sending, request),
    async listen() {
      const url = await server.listen()
      signals.emit({ type: 'server-listening', url, bootMs: Math.round(performance.now() - bootStarted) })
      return url
    },
    reload: async () => ((await kernel.reload(loadSchema)).result === 'swapped' ? 'swapped' : 'unchanged'),
    close() {
      closing ??= close()
      return closing
    },
  }
}
