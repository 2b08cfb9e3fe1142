import type { OwnedCredential } from '../contract/credential.ts'
import type { Database } from '../contract/database.ts'
import { SvcError } from '../errors/svc-error.ts'
import type { SchemaModel } from '../schema/model.ts'
import { tooEarly } from './create-scope.ts'
import type { GenerationLeases } from './generation-leases.ts'
import type { KernelOptions } from './kernel-options.ts'
import { createLonePeers } from './peers.ts'
import type { Kernel } from './running-kernel.ts'
import type { HeldGeneration, ProcessView, ReloadOutcome, ReloadRequest, WorkersView } from './scope.ts'

/** What the scopes look at; filled as boot goes on. */
export interface LiveState {
  kernel: Kernel | null
  database: Database | null
  draining: boolean
  sealed: boolean
  /** `null`: nothing is disposed of. */
  leases: GenerationLeases | null
}

/** @throws SvcError SVC_SCOPE_PHASE */
export function running(live: LiveState): Kernel {
  if (live.kernel === null) throw tooEarly('there is no generation yet')
  return live.kernel
}

const ALONE: WorkersView = Object.freeze({ configured: 1, listening: 1 })
/** Under which processes tell each other what they have loaded. */
const RELOAD = 'svc:reload'

/** What plugins see of the process. */
export function createProcessView(
  live: LiveState,
  {
    version,
    workers = () => ALONE,
    peers = createLonePeers(),
    loadSchema = noSchema,
    describeConfig = () => ({}),
  }: KernelOptions,
  credentials: readonly OwnedCredential[] = [],
): ProcessView {
  function reloadHere({ path, validateOnly = false }: ReloadRequest): Promise<ReloadOutcome> {
    return running(live).reload(() => loadSchema(path), { validateOnly })
  }

  peers.hear(RELOAD, (request) => {
    // A failure has been signalled, and the old schema serves on.
    if (live.kernel !== null) void reloadHere(request as ReloadRequest).catch(() => {})
  })
  return Object.freeze({
    get generation() {
      return running(live).generation
    },
    get draining() {
      return live.draining
    },
    credentials,
    startedAt: new Date(),
    version,
    peers,
    get workers() {
      return workers()
    },
    async reload(request: ReloadRequest = {}) {
      const outcome = await reloadHere(request)
      // What loads here loads there; what does not is told to nobody.
      if (outcome.result !== 'valid') peers.tell(RELOAD, request)
      return outcome
    },
    hold: () => holdCurrent(live),
    describeConfig,
  })
}

function holdCurrent(live: LiveState): HeldGeneration {
  const { generation } = running(live)
  live.leases?.hold(generation)
  let isHeld = true
  return {
    generation,
    release() {
      if (isHeld) live.leases?.release(generation)
      isHeld = false
    },
  }
}

function noSchema(): Promise<SchemaModel> {
  return Promise.reject(new SvcError('SVC_SCHEMA_NOT_FOUND', 'This process was given no schema to load again.'))
}
