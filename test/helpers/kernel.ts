import type { Engine } from '../../core/contract/engine.ts'
import type { Manifest } from '../../core/contract/manifest.ts'
import type { Peers } from '../../core/contract/peers.ts'
import type { ConnectedService } from '../../core/contract/pipeline.ts'
import type { Plugin } from '../../core/contract/plugin.ts'
import type { Scope } from '../../core/contract/scope.ts'
import type { Signal } from '../../core/contract/signals.ts'
import type { PluginInstance } from '../../core/kernel/kernel-options.ts'
import { definePlugin } from '../../core/kernel/plugin.ts'
import { createServiceKernel } from '../../core/service/plugins/create-service-kernel.ts'
import type { ServiceKernel } from '../../core/service/plugins/service-kernel.ts'
import type { ServiceKernelOptions } from '../../core/service/plugins/service-kernel-options.ts'
import { createSignals } from '../../core/service/signals/create-signals.ts'
import { emptySchema } from '../../core/testing/testing.ts'
import { configWith } from './config.ts'

/** A plugin of a test: the set-up, and what of the manifest matters. */
export function plugin(
  name: string,
  setup: (scope: Scope, options: never) => unknown = () => {},
  manifest: Partial<Manifest> = {},
): Plugin<never> {
  return definePlugin<never>(
    { name, version: '1.2.3', kernelApi: 1, description: `The ${name}.`, ...manifest },
    setup as Plugin<never>['setup'],
  )
}

/** The same, as an entry of the list. */
export function entry(value: Plugin<never>, options: unknown = {}, source = 'test'): PluginInstance {
  return { plugin: value, options, source }
}

export interface BootOptions extends Partial<ServiceKernelOptions>, ConnectedService {
  /** Gets everything that is signalled. */
  readonly seen?: Signal[]
  readonly peers?: Peers
}

/** Boots plugins in a kernel without a database, and connects it to an engine that answers everything with nothing. */
export async function boot(
  plugins: readonly (Plugin<never> | PluginInstance)[],
  { seen, peers, engine, enter, identify, ...overrides }: BootOptions = {},
): Promise<ServiceKernel> {
  const signals = createSignals()
  signals.subscribe((signal) => seen?.push(signal))
  const kernel = await createServiceKernel({
    plugins: plugins.map((one) => ('plugin' in one ? one : entry(one))),
    config: configWith(),
    log: { debug() {}, info() {}, warn() {}, error() {} },
    signals,
    process: { version: '9.9.9', ...(peers === undefined ? {} : { peers }) },
    schema: emptySchema(),
    ...overrides,
  })
  kernel.connect({
    engine: engine ?? NO_ENGINE,
    enter: enter ?? (() => ({ status: 200, headers: {}, body: 'entered' })),
    ...(identify === undefined ? {} : { identify }),
  })
  return kernel
}

const NO_ENGINE: Engine = {
  run: () => ({ data: '{}', errors: null }),
  explain: () => Promise.reject(new Error('This kernel has no engine.')),
  authorize: (_exchange, operation) => operation,
  sourcesOf: () => [],
  answerKey: () => null,
  plan: async () => {},
}

/** The error that a call rejects or throws with. */
export async function failure(work: () => unknown): Promise<Error & { readonly code?: string }> {
  try {
    await work()
  } catch (error) {
    return error as Error
  }
  throw new Error('expected a failure')
}
