/**
 * Signals of plugins, by name: `<plugin>:<what>`. A plugin adds its own by declaration merging:
 *
 *     declare module 'svc' { interface PluginSignals { 'audit:full': { readonly bytes: number } } }
 *
 * The log writes each with its fields, at `level` (default `info`) and under `message` (default: the name) where the
 * signal has them.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface PluginSignals {}
