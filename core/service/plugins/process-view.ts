import { cwd } from 'node:process'
import { SvcError } from '../../base/errors/svc-error.ts'
import { DEFAULT_DATABASE } from '../../base/util/database-name.ts'
import type { OwnedCredential } from '../../contract/credential.ts'
import type { Database } from '../../contract/database.ts'
import type { Engine } from '../../contract/engine.ts'
import type { ConnectedService, Pipeline } from '../../contract/pipeline.ts'
import type { HeldGeneration, ProcessView, ReloadOutcome, ReloadRequest, WorkersView } from '../../contract/process.ts'
import { tooEarly } from '../../kernel/create-scope.ts'
import type { SchemaModel } from '../../schema/model.ts'
import { createLonePeers } from './lone-peers.ts'
import type { ServiceKernel } from './service-kernel.ts'
import type { ServiceKernelOptions } from './service-kernel-options.ts'

/**
 * Objects that the scopes of plugins give access to, and that the boot creates after the set-up of plugins has begun.
 * `null`: not created yet.
 */
export interface LiveState {
  kernel: ServiceKernel | null
  /** Engine and request pipeline; `null`: not created yet. */
  service: ConnectedService | null
  database: Database | null
}

/** Returns the kernel. @throws SvcError SVC_SCOPE_PHASE before the boot is complete */
function running(live: LiveState): ServiceKernel {
  if (live.kernel === null) throw tooEarly('there is no generation yet')
  return live.kernel
}

/**
 * Creates `scope.engine`, which plugins receive during set-up. Until the boot is complete, its methods throw
 * SVC_SCOPE_PHASE.
 */
export function engineOf(live: LiveState): Engine {
  function connected(): Engine {
    const engine = live.service?.engine
    if (engine === undefined) throw tooEarly('there is no engine')
    return engine
  }
  return Object.freeze({
    run: (exchange, operation) => connected().run(exchange, operation),
    explain: async (exchange, operation, options) => connected().explain(exchange, operation, options),
    authorize: (exchange, operation) => connected().authorize(exchange, operation),
    sourcesOf: (exchange, operation) => connected().sourcesOf(exchange, operation),
    answerKey: (exchange, operation) => connected().answerKey(exchange, operation),
    plan: async (exchange, operation) => connected().plan(exchange, operation),
  } satisfies Engine)
}

/**
 * Creates `scope.pipeline`, which plugins receive during set-up. Until the service exists, its methods throw
 * SVC_SCOPE_PHASE.
 */
export function pipelineOf(live: LiveState): Pipeline {
  return Object.freeze({
    enter(arrival, handler) {
      const enter = live.service?.enter
      if (enter === undefined) throw tooEarly('nothing is served')
      return enter(arrival, handler)
    },
    identify(exchange) {
      const { identify } = serviceOf(live)
      return identify === undefined ? exchange.auth : identify(exchange)
    },
    toPublicError: (error, exchange) => running(live).toPublicError(error, exchange),
  } satisfies Pipeline)
}

function serviceOf(live: LiveState): ConnectedService {
  running(live)
  return live.service ?? {}
}

/** Returns the database for `scope.database()`. @throws SvcError SVC_SCOPE_PHASE: it is not open yet */
export function openDatabase(live: LiveState): Database {
  if (live.database === null) throw tooEarly('the database is not open')
  return live.database
}

const ALONE: WorkersView = Object.freeze({ configured: 1, listening: 1 })
/** Topic of messages about reloads between processes. */
const RELOAD = 'svc:reload'

/** Creates `scope.process`, through which plugins read the state of the process and reload the schema. */
export function createProcessView(
  live: LiveState,
  {
    process: {
      version,
      baseDir = cwd(),
      workers = () => ALONE,
      peers = createLonePeers(),
      describeConfig = () => ({}),
    },
    loadSchema = noSchema,
    databases,
  }: ServiceKernelOptions,
  credentials: readonly OwnedCredential[] = [],
): ProcessView {
  function reloadHere({ path, validateOnly = false }: ReloadRequest): Promise<ReloadOutcome> {
    return running(live).reload(() => loadSchema(path), { validateOnly })
  }

  peers.hear(RELOAD, (request) => {
    // On failure, `reload` emits a signal and the old schema keeps serving.
    if (live.kernel !== null) void reloadHere(request as ReloadRequest).catch(() => {})
  })
  return Object.freeze({
    get generation() {
      return running(live).generation
    },
    get draining() {
      return live.kernel?.draining ?? false
    },
    credentials,
    startedAt: new Date(),
    baseDir,
    databases: () => new Map([[DEFAULT_DATABASE, openDatabase(live)], ...(databases?.() ?? [])]),
    version,
    peers,
    get workers() {
      return workers()
    },
    async reload(request: ReloadRequest = {}) {
      const outcome = await reloadHere(request)
      // Other processes reload only after this one has succeeded.
      if (outcome.result !== 'valid') peers.tell(RELOAD, request)
      return outcome
    },
    hold: () => holdCurrent(live),
    describeConfig,
  })
}

function holdCurrent(live: LiveState): HeldGeneration {
  const { generation } = running(live)
  live.kernel?.leases?.hold(generation)
  let isHeld = true
  return {
    generation,
    release() {
      if (isHeld) live.kernel?.leases?.release(generation)
      isHeld = false
    },
  }
}

function noSchema(): Promise<SchemaModel> {
  return Promise.reject(new SvcError('SVC_SCHEMA_NOT_FOUND', 'This process was given no schema to load again.'))
}
