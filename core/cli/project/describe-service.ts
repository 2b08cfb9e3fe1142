import { readVersion } from '../../base/packages/own-package.ts'
import { redactText } from '../../base/util/redact-text.ts'
import type { OperationModel } from '../../schema/model.ts'
import type { App } from '../../service/app.ts'
import { silentAuthenticators } from '../../service/http/callers-of.ts'
import { isOpenOperation } from '../../service/lifecycle/default-policy.ts'
import type { ServiceKernel } from '../../service/plugins/service-kernel.ts'
import type { Project } from './load-project.ts'

/** Summary of a service that has started, for its banner on the terminal or its log line. */
export interface ServiceDescription {
  /** Version of the running svc. */
  readonly version: string
  /** Name and version of the project: `shop 1.0.0`. */
  readonly project: string
  readonly address: string
  /**
   * URL of the GraphQL endpoint; `null`: the plugin `graphql` is not enabled. `health` is the same for the plugin
   * `health`.
   */
  readonly graphql: string | null
  readonly health: string | null
  /** Summary of the schema, with the start of its hash: `5 types, 6 queries, 5 mutations (4150f487ae57)`. */
  readonly schema: string
  /**
   * Number of operations with and without a credential, and from where they can be reached:
   * `public: 6 queries, 5 mutations, from this machine only`.
   */
  readonly access: string
  readonly database: string
  readonly workers: number
  readonly plugins: readonly string[]
  readonly preset: string
  /** Warnings about settings that are valid but probably not intended. */
  readonly warnings: readonly string[]
}

/**
 * Summarizes a started service for its banner or log line.
 * @param url URL at which the service listens
 */
export function describeService(
  { kernel, database, databases }: App,
  { config, preset }: Project,
  url: string,
): ServiceDescription {
  const address = url.replace(/\/$/, '').replace(/\/\/(0\.0\.0\.0|\[::\])(?=[:/]|$)/, '//localhost')
  const { schema } = kernel.generation
  const urlOf = (plugin: string, method: string) => {
    const route = kernel.routes.find((one) => one.plugin === plugin && one.method === method)
    return route === undefined ? null : `${address}${route.path}`
  }
  const counts = [
    count(schema.compiled.types.length, 'type'),
    count(schema.queries.size, 'query', 'queries'),
    ...(schema.arrowQueries.size === 0 ? [] : [count(schema.arrowQueries.size, 'columnar query', 'columnar queries')]),
    count(schema.mutations.size, 'mutation'),
  ]
  const { name, version } = config.project
  const open = splitByAccess(schema, config.security.default_policy)
  return {
    version: readVersion(),
    project: `${name} ${version}`,
    address,
    graphql: urlOf('graphql', 'POST'),
    health: urlOf('health', 'GET'),
    schema: `${counts.join(', ')} (${schema.hash.slice(0, 12)})`,
    access: `${open.text}, ${isLoopback(config.server.host) ? 'from this machine only' : 'from anywhere'}`,
    database: [
      `${database.kind} at ${redactText(config.database.url ?? '')}`,
      ...[...databases].map(
        ([name, { kind }]) => `${name}: ${kind} at ${redactText(config.databases?.[name]?.url ?? '')}`,
      ),
    ].join('; '),
    workers: config.server.workers,
    plugins: kernel.describe().plugins.map((plugin) => plugin.name),
    preset,
    warnings: warningsOf(kernel, config.security.default_policy),
  }
}

/**
 * Returns warnings for the operator about settings that are valid but probably not intended, such as public mutations
 * in production.
 * @param policy value of `security.default_policy`
 */
export function warningsOf(
  kernel: Pick<ServiceKernel, 'hooks' | 'generation' | 'credentials' | 'describe'>,
  policy: 'authenticated' | 'public',
  isProduction = process.env.NODE_ENV === 'production',
): readonly string[] {
  const { guarded } = splitByAccess(kernel.generation.schema, policy)
  const open = isProduction && policy === 'public' ? openedByPolicy(kernel.generation.schema) : 0
  return [
    ...(open > 0 ? [everybodyWrites(open)] : []),
    ...(kernel.hooks.authenticate === null && guarded > 0 ? [nobodyVerifies(guarded)] : []),
    ...silentAuthenticators(kernel).map(saysNothing),
  ]
}

/** Counts the mutations that are public only by `security.default_policy`. */
function openedByPolicy({ mutations }: { readonly mutations: Operations }): number {
  return [...mutations.values()].filter(
    (one) => isOpenOperation(one, 'public') && !isOpenOperation(one, 'authenticated'),
  ).length
}

function everybodyWrites(open: number): string {
  return (
    `security.default_policy is "public" in production, and ${count(open, 'mutation')} of the schema can be called by anybody who reaches the ` +
    'service. Set it to "authenticated" and mark what is meant to be open with `public: true`, or guard the mutations.'
  )
}

function saysNothing(plugin: string): string {
  return (
    `Plugin "${plugin}" verifies credentials and does not say where they are: no cache between may keep any answer, and ` +
    'neither OpenAPI nor WebSockets know them. Call `scope.credentials` in its set-up (docs/guides/write-a-plugin.md).'
  )
}

type Operations = ReadonlyMap<string, OperationModel>

function splitByAccess(
  { queries, arrowQueries, mutations }: Readonly<Record<'queries' | 'arrowQueries' | 'mutations', Operations>>,
  policy: 'authenticated' | 'public',
): { readonly text: string; readonly guarded: number } {
  const groups = (isWanted: boolean) =>
    [new Map([...queries, ...arrowQueries]), mutations].map(
      (all) => [...all.values()].filter((one) => isOpenOperation(one, policy) === isWanted).length,
    )
  const [open, guarded] = [groups(true), groups(false)]
  const parts = [printGroup('public', open), printGroup('with a credential', guarded)].filter((part) => part !== '')
  return { text: parts.length === 0 ? 'nothing to call' : parts.join('; '), guarded: sum(guarded) }
}

function printGroup(label: string, [queries = 0, mutations = 0]: readonly number[]): string {
  const parts = [
    ...(queries === 0 ? [] : [count(queries, 'query', 'queries')]),
    ...(mutations === 0 ? [] : [count(mutations, 'mutation')]),
  ]
  return parts.length === 0 ? '' : `${label}: ${parts.join(', ')}`
}

function nobodyVerifies(guarded: number): string {
  return (
    `${count(guarded, 'operation')} of the schema ${guarded === 1 ? 'wants' : 'want'} a credential, and no plugin of the list verifies any: every ` +
    'call of them is answered UNAUTHENTICATED. Set JWT_SECRET, or enable API keys (docs/guides/authenticate.md), ' +
    'or open them: `public: true` on the operation, `default_policy = "public"` in [security].'
  )
}

/** Tests whether a listening address can be reached from this machine only: `localhost`, `::1`, `127.*`. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host)
}

function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}
