import { toPlugin } from '../config/to-plugin.ts'
import type { Plugin } from '../contract/plugin.ts'
import type { PluginInstance } from '../kernel/kernel-options.ts'

/** A plugin that `testPlugin` accepts: the result of `definePlugin`, or a function wrapped by fastify-plugin. */
export type Testable = Plugin<never> | ((...args: never[]) => unknown)

/**
 * Converts a plugin under test, with its options if given, to the form in which the kernel gets its plugins.
 * @throws SvcError SVC_PLUGIN_INVALID: the value is no plugin
 */
export function toInstance(given: Testable | { readonly plugin: Testable; readonly options: unknown }): PluginInstance {
  const isPair = typeof given === 'object' && 'plugin' in given
  return {
    plugin: toPlugin(isPair ? given.plugin : given, 'the plugin under test'),
    options: isPair ? given.options : {},
    source: 'test',
  }
}
