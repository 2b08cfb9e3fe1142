import { createKernel } from '../../core/kernel/kernel.ts'
import type { KernelOptions, PluginInstance } from '../../core/kernel/kernel-options.ts'
import type { Manifest } from '../../core/kernel/manifest.ts'
import { definePlugin, type Plugin } from '../../core/kernel/plugin.ts'
import type { Kernel } from '../../core/kernel/running-kernel.ts'
import type { Scope } from '../../core/kernel/scope.ts'
import { createSignals, type Signal } from '../../core/signals/signals.ts'
import { emptySchema } from '../../core/testing.ts'

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

/** Boots plugins in a kernel without a database; `signals` gets everything that is signalled. */
export function boot(
  plugins: readonly (Plugin<never> | PluginInstance)[],
  overrides: Partial<KernelOptions> & { readonly seen?: Signal[] } = {},
): Promise<Kernel> {
  const signals = createSignals()
  signals.subscribe((signal) => overrides.seen?.push(signal))
  return createKernel({
    plugins: plugins.map((one) => ('plugin' in one ? one : entry(one))),
    config: {},
    log: { debug() {}, info() {}, warn() {}, error() {} },
    signals,
    version: '9.9.9',
    schema: emptySchema(),
    run: () => ({ data: '{}', errors: null }),
    enter: () => ({ status: 200, headers: {}, body: 'entered' }),
    ...overrides,
  })
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
