import type { PluginList } from '../config/plugin-list.ts'
import type { KernelDescription } from '../service/plugins/describe-plugins.ts'

/** The list with sources, then what is left out with reasons. */
export function printPlugins({ listed, left }: PluginList, preset: string): string {
  const rows = listed.map(({ manifest, source }) => [manifest.name, manifest.version, source, manifest.description])
  const lines = [`${listed.length} plugins run (preset ${preset}):`, ...columns(rows)]
  if (left.length > 0) {
    lines.push('', `${left.length} left out:`)
    lines.push(...columns(left.map(({ name, why, howToEnable }) => [name, why, howToEnable ?? ''])))
  }
  return `${lines.join('\n')}\n`
}

/** Every stage with its kind and its chain. */
export function printHooks({ hooks }: KernelDescription): string {
  const rows = hooks.map(({ stage, kind, plugins, positions }) => {
    const chain = plugins.map((plugin, i) => (positions[i] == null ? plugin : `${plugin} (${positions[i]})`))
    return [stage, kind, chain.length === 0 ? '(nobody)' : chain.join(' → ')]
  })
  return `Hooks, in the order of run:\n${columns(rows).join('\n')}\n`
}

/** Set-ups in their order, each under the plugins it depends on. */
export function printTree({ plugins }: KernelDescription): string {
  const byName = new Map(plugins.map((plugin) => [plugin.name, plugin]))
  const depthOf = (name: string): number => {
    const { dependencies = [] } = byName.get(name) ?? {}
    return dependencies.length === 0 ? 0 : 1 + Math.max(...dependencies.map(depthOf))
  }
  const rows = plugins.map(({ name, durationMs, startMs, dependencies }) => [
    `${'  '.repeat(depthOf(name))}${name}`,
    `${durationMs.toFixed(1)} ms`,
    `at ${startMs.toFixed(1)} ms`,
    dependencies.length === 0 ? '' : `needs ${dependencies.join(', ')}`,
  ])
  return `Set-up, in order:\n${columns(rows).join('\n')}\n`
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>((all, row) => row.map((cell, i) => Math.max(cell.length, all[i] ?? 0)), [])
  return rows.map((row) => `  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
}
