import type { App } from '../app.ts'
import { redactText } from '../util/redact-text.ts'
import type { Project } from './load-project.ts'
import { readVersion } from './read-version.ts'

/** What `svc run` says when it serves: where, what, with what, how to stop. */
export function printBanner({ kernel, database }: App, { config, preset }: Project, url: string): string {
  const base = url.replace(/\/$/, '').replace(/\/\/(0\.0\.0\.0|\[::\])(?=[:/]|$)/, '//localhost')
  const { schema } = kernel.generation
  const has = (plugin: string, method: string) =>
    kernel.routes.find((route) => route.plugin === plugin && route.method === method)
  const graphql = has('graphql', 'POST')
  const health = has('health', 'GET')
  const counts = [
    count(schema.compiled.types.length, 'type'),
    count(schema.queries.size, 'query', 'queries'),
    count(schema.mutations.size, 'mutation'),
  ]
  const plugins = kernel.describe().plugins.map(({ name }) => name)
  const { name, version } = config.project as { readonly name: string; readonly version: string }
  const rows: readonly (readonly [string, string])[] = [
    ...(graphql === undefined ? [] : [['GraphQL', `${base}${graphql.path}`] as const]),
    ...(health === undefined ? [] : [['Health', `${base}${health.path}`] as const]),
    ...(graphql === undefined && health === undefined ? [['Address', base] as const] : []),
    ['Schema', `${counts.join(', ')} (${schema.hash.slice(0, 12)})`],
    ['Database', `${database.kind} at ${redactText(config.database.url ?? '')}`],
    ...(config.server.workers > 1 ? [['Workers', `${config.server.workers} processes`] as const] : []),
    ['Plugins', `${plugins.join(', ')} (preset ${preset})`],
  ]
  const lines = rows.map(([label, value]) => `  ${label.padEnd(9)} ${value}`)
  return [`svc ${readVersion()} serves ${name} ${version}`, ...lines, 'Stop with Ctrl+C.', ''].join('\n')
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`
}
