/**
 * Signals of plugins, by name: `<plugin>:<what>`. A plugin adds its own by declaration merging:
 *
 *     declare module 'svc' { interface PluginSignals { 'audit:full': { readonly bytes: number } } }
 *
 * The log writes a line for each signal, with its fields, its `level` (default `info`) and its `message` (default: its name).
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface PluginSignals {}
