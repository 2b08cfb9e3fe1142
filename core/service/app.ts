import { settlesWithin } from '../base/util/settles-within.ts'
import type { Config } from '../contract/config.ts'
import type { Database } from '../contract/database.ts'
import { createExecutor } from '../engine/execute/resolve.ts'
import type { SchemaModel } from '../schema/model.ts'
import { composeService } from './compose-service.ts'
import type { InjectRequest, InjectResponse } from './http/inject.ts'
import { renewTls } from './http/renew-tls.ts'
import { createGenerationRouter } from './http/router.ts'
import { loadTls } from './http/tls.ts'
import { commentStatements } from './lifecycle/comment-statements.ts'
import { observeDatabase } from './lifecycle/observe-database.ts'
import { observePlans } from './lifecycle/observe-plans.ts'
import { createServiceKernel } from './plugins/create-service-kernel.ts'
import type { ServiceKernel } from './plugins/service-kernel.ts'
import type { ProcessOptions, ServiceKernelOptions } from './plugins/service-kernel-options.ts'
import { ServedDatabases } from './served-databases.ts'

/** Minimum time for closing plugins and database after the requests, even when the requests have used up `shutdown_timeout_ms`. */
const LEAST_CLOSE_MS = 1000

export interface AppOptions
  extends Pick<ServiceKernelOptions, 'plugins' | 'known' | 'log' | 'signals' | 'onBootStep'>,
    ProcessOptions {
  /** The validated configuration, as `loadConfig` returns it for `svc run`. */
  readonly config: Config
  /** Absolute path of the folder that relative paths in the configuration refer to. */
  readonly baseDir: string
  /**
   * Loads the compiled schema: once at boot, and again at each reload.
   * @param path path of another compiled schema, relative to `baseDir`; absent: the configured one
   */
  readonly loadSchema: (path?: string) => Promise<SchemaModel>
  /** An open database to use instead of the configured one. The app closes it. */
  readonly database?: Database
  /** Open databases to use instead of those of `[databases]`, by name. The app closes them. */
  readonly databases?: ReadonlyMap<string, Database>
}

/** A service that has booted: it serves `inject` at once, and HTTP clients after `listen`. */
export interface App {
  readonly kernel: ServiceKernel
  readonly database: Database
  /** The open databases of `[databases]`, by name. */
  readonly databases: ReadonlyMap<string, Database>
  /** Runs one request through the service without a network connection, as tests do. */
  inject(request: InjectRequest): Promise<InjectResponse>
  /**
   * Opens the port of the HTTP server.
   * @returns the URL.
   * @throws SvcError SVC_LISTEN_FAILED: the port cannot be opened
   */
  listen(): Promise<string>
  /**
   * Loads the schema again and serves it to new requests. If that fails, it throws, and the current schema stays
   * active.
   * @returns `unchanged`: the schema has the same hash as the current one
   */
  reload(): Promise<'swapped' | 'unchanged'>
  /**
   * Stops the service: it reports that it is not ready, closes the listener, finishes requests in flight, and closes
   * plugins and databases.
   */
  close(): Promise<void>
}

/**
 * Boots a service from its configuration: loads the schema, sets up the plugins, opens the databases, and creates the
 * HTTP server without listening.
 * @throws SvcError SVC_BOOT_FAILED: a plugin cannot be set up; SVC_DATABASE_MISSING: no driver accepts a database URL;
 * SVC_CONFIG_INVALID; SVC_SCHEMA_*: the schema cannot be loaded, or does not fit the database
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

  const kernel: ServiceKernel = await createServiceKernel({
    ...options,
    process: options,
    loadSchema,
    async reloadOthers() {
      if (tls === null) return
      tls = await renewTls(config.server.tls, baseDir, tls, {
        use: (material) => service.server.renewTls(material),
        signals,
      })
    },
    schema,
    timeouts: { drain: config.server.shutdown_timeout_ms },
    mount: (generation, routes) => router.mount(generation, routes),
    openDatabase(drivers) {
      const context = { baseDir, signals, maxResultBytes, workers: config.server.workers }
      return databases.open(drivers, config, context, schema)
    },
    databases: () => databases.others,
  }).catch(async (error: unknown) => {
    await databases.discard()
    throw error
  })
  const { main: database, others } = databases
  const service = composeService(kernel, {
    config,
    signals,
    router,
    tls,
    executor(observe) {
      const prepare = (each: Database, name: string): Database =>
        observeDatabase(observe, commentStatements(each, kernel.comments, signals), name)
      const observed = prepare(database, 'default')
      const { observePlan, noting } = observePlans(observe)
      const executor = createExecutor({
        observePlan,
        database: () => observed,
        databases: new Map([...others].map(([name, other]) => [name, prepare(other, name)])),
        settings: {
          maxRows: config.svc.max_rows,
          maxSortKeys: config.svc.max_sort_keys,
          maxGroupKeys: config.svc.max_group_keys,
        },
        maxResultBytes,
        streamIdleMs: config.server.request_timeout_ms,
        mutationHooks: kernel.mutationHooksOf,
        contributions: kernel.contributions,
        ...(kernel.hooks.afterCommit === null ? {} : { onCommit: kernel.hooks.afterCommit }),
      })
      return { ...executor, resolve: noting(executor.resolve) }
    },
  })
  const { server, entrance } = service

  let closing: Promise<void> | null = null
  async function close(): Promise<void> {
    const { shutdown_grace_ms: grace, shutdown_timeout_ms: timeout } = config.server
    const end = performance.now() + grace + timeout
    /** Waits for a part up to the time limit, and no longer: a hanging part must not keep a stopped process alive. */
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
    // The boot error is thrown. Errors of closing become warnings, and do not keep the other parts from closing.
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
    inject: service.inject,
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
