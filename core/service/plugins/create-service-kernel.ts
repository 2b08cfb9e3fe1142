import type { OwnedCredential } from '../../contract/credential.ts'
import type { MutationHooksOf } from '../../contract/mutation-hooks.ts'
import type { ConnectedService } from '../../contract/pipeline.ts'
import { createMutationHooksOf } from '../../engine/execute/mutation-hooks-of.ts'
import { createKernel } from '../../kernel/kernel.ts'
import type { PluginInstance } from '../../kernel/kernel-options.ts'
import { createToPublicError } from '../lifecycle/to-public-error.ts'
import { MetricsRegistry } from '../signals/metrics-registry.ts'
import { checkManifests, checkRequires } from './check-manifests.ts'
import { describePlugins } from './describe-plugins.ts'
import { describeObservers } from './observers.ts'
import { createProcessView, engineOf, type LiveState, openDatabase, pipelineOf } from './process-view.ts'
import { createReload } from './reload.ts'
import { RouteTable } from './route-table.ts'
import { createMembers, type ServiceTarget } from './scope-members.ts'
import type { ServiceHooks, ServiceKernel } from './service-kernel.ts'
import type { ServiceKernelOptions } from './service-kernel-options.ts'
import { STAGES } from './stages.ts'

/**
 * Sets up the plugins of a service. It opens the database after the set-up of the drivers and before that of the other
 * plugins.
 * @throws SvcError SVC_BOOT_FAILED with all faults; errors of `openDatabase` are thrown unchanged. Plugins that were
 * set up are closed
 */
export async function createServiceKernel(options: ServiceKernelOptions): Promise<ServiceKernel> {
  const { signals, plugins, onBootStep = () => {} } = options
  const live: LiveState = { kernel: null, service: null, database: null }
  const target = createTarget(options, live)
  let mutationHooksOf: MutationHooksOf | null = null
  const kernel = await createKernel({
    plugins,
    ...(options.known === undefined ? {} : { known: options.known }),
    stages: STAGES,
    members: (registration) => createMembers(target, registration),
    report: {
      warn: (plugin, message) => signals.emit({ type: 'warning', plugin, message }),
      settleFailed: (plugin, error) => signals.emit({ type: 'after-commit-failed', plugin, error }),
    },
    schema: options.schema,
    checkManifests,
    checkSchema: (schema, names) => checkRequires(schema, names, options.known),
    isEarly: ({ databaseSchemes }) => databaseSchemes !== undefined,
    async betweenSetUps() {
      onBootStep('the database was being opened')
      live.database = (await options.openDatabase?.(target.drivers)) ?? null
    },
    sealed(stages) {
      mutationHooksOf = createMutationHooksOf(stages)
    },
    accept(generation) {
      // Calls `HookOptions.mutations` of all hooks now, so that an error in one rejects the generation instead of a request.
      if (mutationHooksOf !== null)
        for (const mutation of generation.schema.mutations.values()) mutationHooksOf(mutation)
      const routes = target.routes.of(generation)
      options.mount?.(generation, routes)
    },
    onBootStep,
    ...(options.timeouts === undefined ? {} : { timeouts: options.timeouts }),
  })

  const stages = Object.keys(STAGES)
  const hooks = Object.freeze(
    Object.fromEntries(stages.map((stage) => [stage, kernel.stages.runner(stage)])),
  ) as ServiceHooks
  const codes = new Map(plugins.flatMap(({ plugin }) => Object.entries(plugin.manifest.codes ?? {})))
  const running: ServiceKernel = Object.assign(kernel, {
    hooks,
    mutationHooksOf,
    routes: Object.freeze(target.routes.fixed),
    toPublicError: createToPublicError(hooks['error:public'], signals, codes),
    drivers: Object.freeze(target.drivers),
    observers: Object.freeze(target.observers),
    comments: Object.freeze(target.comments),
    upgrades: Object.freeze(target.upgrades),
    credentials: Object.freeze(target.credentials),
    contributions: Object.freeze(target.contributions),
    process: target.process,
    connect(service: ConnectedService) {
      live.service = service
    },
    reload: createReload({ signals, kernel, others: options.reloadOthers }),
    describe: () =>
      describePlugins(
        kernel.plugins,
        [...kernel.stages.describe(), ...describeObservers(target.observers)],
        kernel.timings,
      ),
  })
  live.kernel = running
  signals.emit({ type: 'generation-loaded', hash: kernel.generation.hash, reason: 'boot' })
  return running
}

function createTarget(options: ServiceKernelOptions, live: LiveState): ServiceTarget {
  const credentials: OwnedCredential[] = []
  return {
    config: options.config,
    log: options.log,
    signals: options.signals,
    routes: new RouteTable(),
    metrics: declaredMetrics(options.plugins),
    drivers: [],
    observers: [],
    comments: [],
    upgrades: [],
    credentials,
    contributions: [],
    process: createProcessView(live, options, credentials),
    engine: engineOf(live),
    pipeline: pipelineOf(live),
    database: () => openDatabase(live),
  }
}

function declaredMetrics(plugins: readonly PluginInstance[]): MetricsRegistry {
  const registry = new MetricsRegistry()
  for (const { plugin } of plugins) registry.declare(plugin.manifest.name, plugin.manifest.metrics ?? {})
  return registry
}
