import type { AppConfig } from './config/app-config.ts'
import { checkDialect } from './execute/check-dialect.ts'
import { createResolver } from './execute/resolve.ts'
import type { Database } from './front/database.ts'
import { createAccessLog } from './http/access-log.ts'
import { type InjectRequest, type InjectResponse, inject } from './http/inject.ts'
import { createPipeline } from './http/pipeline.ts'
import { createGenerationRouter } from './http/router.ts'
import { createServer } from './http/server.ts'
import { createServerTiming } from './http/server-timing.ts'
import { loadTls } from './http/tls.ts'
import { createKernel, type Kernel, type KernelOptions } from './kernel/kernel.ts'
import { createDefaultPolicy } from './lifecycle/default-policy.ts'
import { createEntrance } from './lifecycle/enter.ts'
import { holdGeneration } from './lifecycle/hold-generation.ts'
import { OWN_WORK, type PlainExchange } from './lifecycle/plain-exchange.ts'
import { createOperationRunner } from './lifecycle/run-operation.ts'
import { openDatabase } from './open-database.ts'
import type { SchemaModel } from './schema/model.ts'
import { settlesWithin } from './util/settles-within.ts'

/** What is closed after the requests has at least this long, however little of `shutdown_timeout_ms` they left. */
const LEAST_CLOSE_MS = 1000

export interface AppOptions
  extends Pick<KernelOptions, 'plugins' | 'known' | 'log' | 'signals' | 'version' | 'workers' | 'peers'> {
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
}

/** The running service. */
export interface App {
  readonly kernel: Kernel
  readonly database: Database
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
  const tls = await loadTls(config.server.tls, baseDir)
  /** A reload, too, takes no schema that the database does not speak. */
  async function loadSchema(path?: string): Promise<SchemaModel> {
    const loaded = await options.loadSchema(path)
    return opened === null ? loaded : checkDialect(loaded, opened.dialect)
  }
  let opened = null as Database | null
  const schema = await loadSchema()
  const timing = config.debug.enabled && config.debug.server_timing ? createServerTiming() : null
  const router = createGenerationRouter()

  const kernel: Kernel = await createKernel({
    ...options,
    loadSchema,
    schema,
    drainTimeoutMs: config.server.shutdown_timeout_ms,
    mount: (generation, routes) => router.mount(generation, timing?.routes(routes) ?? routes),
    async openDatabase(drivers) {
      const { workers } = config.server
      opened =
        options.database ??
        (await openDatabase(drivers, config.database, { baseDir, signals, maxResultBytes, workers }))
      checkDialect(schema, opened.dialect)
      return opened
    },
    run: (_kernel, exchange, operation) => runOperation(exchange, operation),
    enter: (arrival, handler) => entrance.enter(arrival, handler),
  }).catch(async (error: unknown) => {
    // What was handed in is its owner's as long as there is no app.
    if (options.database === undefined) {
      // Why the boot failed is what has to be known, whatever else fails.
      await opened?.close().catch(({ message }: Error) => signals.emit({ type: 'warning', plugin: 'kernel', message }))
    }
    throw error
  })
  const database = opened as Database

  const { authorize, resolve, authenticate, onRequest, afterCommit } = kernel.hooks
  const timedDatabase = timing?.database(database) ?? database
  const engine = createResolver({
    database: () => timedDatabase,
    settings: { maxRows: config.svc.max_rows },
    maxResultBytes,
    ...(afterCommit === null ? {} : { onCommit: afterCommit }),
  })
  const runner = createOperationRunner({
    defaultPolicy: createDefaultPolicy(config.security.default_policy),
    authorize,
    resolve,
    innermost: timing?.engine(engine) ?? engine,
  })
  const accessLog = config.server.access_log ? createAccessLog(signals) : null
  const timedRunner = timing?.run(runner) ?? runner
  const loggedRunner = accessLog?.run(timedRunner) ?? timedRunner
  const { leases } = kernel
  const runOperation = leases === null ? loggedRunner : holdGeneration(leases, loggedRunner)
  const plainPipeline = createPipeline({
    router,
    onRequest,
    authenticate: authenticate === null ? null : (timing?.authenticate(authenticate) ?? authenticate),
    signals,
  })
  const entered = createPipeline<PlainExchange>({ router: OWN_WORK, onRequest, authenticate, signals })
  const entrance = createEntrance({
    generation: () => kernel.generation,
    pipeline: leases === null ? entered : holdGeneration(leases, entered),
    deadlineMs: config.server.request_timeout_ms,
  })
  const timedPipeline = timing?.pipeline(plainPipeline) ?? plainPipeline
  const loggedPipeline = accessLog?.pipeline(timedPipeline) ?? timedPipeline
  const pipeline = leases === null ? loggedPipeline : holdGeneration(leases, loggedPipeline)
  const server = createServer(pipeline, () => kernel.generation, {
    host: config.server.host,
    port: config.server.port,
    requestTimeoutMs: config.server.request_timeout_ms,
    keepAliveMs: config.server.keep_alive_secs * 1000,
    maxBodyBytes: config.server.max_body_bytes,
    shutdownGraceMs: config.server.shutdown_grace_ms,
    shutdownTimeoutMs: config.server.shutdown_timeout_ms,
    tls,
  })

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
      await closePart('database', database.close())
      signals.emit({ type: 'server-closed' })
    }
  }

  try {
    await kernel.ready()
  } catch (error) {
    // Why the boot failed is what has to be known, whatever else fails; and each part is closed whatever became of the others.
    const report = ({ message }: Error): void => signals.emit({ type: 'warning', plugin: 'kernel', message })
    await kernel.drain()
    await kernel.close().catch(report)
    if (options.database === undefined) await database.close().catch(report)
    throw error
  }

  return {
    kernel,
    database,
    inject: (request) => inject(pipeline, kernel.generation, config.server.max_body_bytes, request),
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
