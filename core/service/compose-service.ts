import type { Config } from '../contract/config.ts'
import type { Engine, Executor } from '../contract/engine.ts'
import type { Observer, OwnedObserver } from '../contract/observer.ts'
import type { Signals } from '../contract/signals.ts'
import { createSessionVariables } from '../engine/access/session-variables.ts'
import { createAccessLog } from './http/access-log.ts'
import { createCacheability } from './http/cacheability.ts'
import { callersOf } from './http/callers-of.ts'
import { type InjectRequest, type InjectResponse, inject } from './http/inject.ts'
import { callHandler, createOverdue, createPipeline } from './http/pipeline.ts'
import type { GenerationRouter } from './http/router.ts'
import { createServer, type HttpServer } from './http/server.ts'
import { createServerTiming } from './http/server-timing.ts'
import type { TlsMaterial } from './http/tls.ts'
import { createUpgradePipeline } from './http/upgrade-pipeline.ts'
import { isAnonymousWork } from './lifecycle/anonymous-work.ts'
import { createEngine } from './lifecycle/create-engine.ts'
import { createDefaultPolicy } from './lifecycle/default-policy.ts'
import { createEntrance, type Entrance } from './lifecycle/enter.ts'
import { holdGenerations } from './lifecycle/hold-generation.ts'
import { createIdentity } from './lifecycle/identity.ts'
import { createObserve, type Observe } from './lifecycle/observe.ts'
import { OWN_WORK, type PlainExchange } from './lifecycle/plain-exchange.ts'
import { createSlowStatements } from './lifecycle/slow-statements.ts'
import type { ServiceKernel } from './plugins/service-kernel.ts'

/** The sections of `svc.toml` that engine, request pipeline and server read. */
export type ServiceConfig = Pick<Config, 'server' | 'security' | 'session_variables' | 'database' | 'debug'>

export interface ServiceParts {
  readonly config: ServiceConfig
  readonly signals: Signals
  readonly router: GenerationRouter
  readonly tls: TlsMaterial | null
  /**
   * Creates the executor, which plans and runs operations. `observe` wraps functions so that plugins can observe their
   * calls.
   */
  readonly executor: (observe: Observe) => Executor
}

/** Engine, request pipeline and HTTP server around a kernel whose plugins are set up. */
export interface Service {
  readonly engine: Engine
  readonly entrance: Entrance
  readonly server: HttpServer
  /** Runs one request through the service without a network connection, as tests do. */
  inject(request: InjectRequest): Promise<InjectResponse>
}

/**
 * Creates engine, request pipeline and HTTP server around a kernel whose plugins are set up, and connects the plugins
 * to them. `svc run` and `testPlugin` both use it, with different executors.
 */
export function composeService(
  kernel: ServiceKernel,
  { config, signals, router, tls, executor }: ServiceParts,
): Service {
  const { toPublicError } = kernel
  const { authorize, resolve, authenticate, onRequest } = kernel.hooks
  const { server: settings } = config
  const observe = createObserve(observersOf(kernel, config, signals), signals)
  const engine = createEngine({
    defaultPolicy: createDefaultPolicy(config.security.default_policy, kernel.names),
    authorize,
    resolve,
    sessionVariables: createSessionVariables(config),
    executor: executor(observe),
    observe,
    signals,
  })
  const identity = createIdentity(authenticate === null ? null : observe('authenticate', authenticate), isAnonymousWork)
  const stages = {
    onRequest,
    authenticate: identity.authenticate,
    toPublicError,
    callHandler: observe('handler', callHandler),
  }
  const generation = () => kernel.generation
  const pipeline = observe('exchange', createPipeline({ ...stages, router }))
  const entrance = createEntrance({
    generation,
    pipeline: observe('exchange', createPipeline<PlainExchange>({ ...stages, router: OWN_WORK })),
    failOverdue: createOverdue<PlainExchange>({ router: OWN_WORK, toPublicError }),
    deadlineMs: settings.request_timeout_ms,
  })
  const upgrades =
    kernel.upgrades.length === 0
      ? null
      : createUpgradePipeline(kernel.upgrades, stages, (run) => observe('exchange', run))
  const cacheability = createCacheability(callersOf(kernel, config))
  const server = createServer(
    {
      pipeline,
      generation,
      toPublicError,
      failOverdue: createOverdue({ router, toPublicError }),
      upgrades,
      cacheability,
    },
    {
      host: settings.host,
      port: settings.port,
      requestTimeoutMs: settings.request_timeout_ms,
      keepAliveMs: settings.keep_alive_secs * 1000,
      maxBodyBytes: settings.max_body_bytes,
      shutdownGraceMs: settings.shutdown_grace_ms,
      shutdownTimeoutMs: settings.shutdown_timeout_ms,
      maxUpgradedConnections: settings.max_upgraded_connections,
      tls,
    },
  )
  kernel.connect({ engine, enter: entrance.enter, identify: identity.identify })
  const sending = { maxBodyBytes: settings.max_body_bytes, cacheability }
  return {
    engine,
    entrance,
    server,
    inject: (request) => inject(pipeline, kernel.generation, sending, request),
  }
}

/**
 * Returns the observers of a service, the outermost first; a service without observers has no cost for them. Observers
 * that write log lines are inside those of plugins, so that a line contains the trace id.
 */
function observersOf(
  kernel: ServiceKernel,
  { server, database, debug }: Pick<Config, 'server' | 'database' | 'debug'>,
  signals: Signals,
): readonly OwnedObserver[] {
  const { slow_statement_ms: slowMs } = database
  return [
    ...own(kernel.leases === null ? null : holdGenerations(kernel.leases)),
    ...kernel.observers,
    ...own(
      server.access_log ? createAccessLog(signals) : null,
      slowMs > 0 ? createSlowStatements(signals, slowMs) : null,
      debug.enabled && debug.server_timing ? createServerTiming() : null,
    ),
  ]
}

function own(...observers: readonly (Observer | null)[]): readonly OwnedObserver[] {
  return observers.filter((observer) => observer !== null).map((observer) => ({ plugin: 'kernel', observer }))
}
