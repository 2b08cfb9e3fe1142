import type { Exchange } from '../../contract/exchange.ts'
import type { Explanation } from '../../contract/explanation.ts'
import type { Operation } from '../../contract/operation.ts'
import { DEFAULT_DATABASE } from '../../util/database-name.ts'
import type { Link } from './cut-selection.ts'
import { keysOf, type OperationPart } from './operation-part.ts'
import { splitOperation } from './split-operation.ts'

/** What an operation would do on each of the databases that its roots are of, one after the other. */
export async function explainInDatabases(
  exchange: Exchange,
  operation: Operation,
  explain: (part: Operation, database: string | undefined) => Promise<Explanation>,
): Promise<Explanation> {
  const isWrite = operation.template.kind === 'mutation'
  const steps = splitOperation(operation, exchange.generation.schema, isWrite).flatMap(stepsOf)
  const explained: Explanation[] = []
  for (const { part, links } of steps) {
    const keys = Object.fromEntries(links.map((link) => [keysOf(link), NO_KEYS]))
    const variables = { ...operation.variables, ...keys }
    explained.push(await explain({ ...operation, template: part.template, variables }, part.database))
  }
  const [first, ...others] = explained as [Explanation, ...Explanation[]]
  if (others.length === 0) return first
  const plans = explained.map(({ plan }, index) => `${headOf(steps[index]!)}\n${plan}`)
  return {
    kind: first.kind,
    plan: first.plan === null ? null : plans.join('\n'),
    sources: [...new Set(explained.flatMap(({ sources }) => sources))],
    statements: explained.flatMap(({ statements }) => statements),
  }
}

/** A statement, and the relations whose keys it waits for. */
interface Step {
  readonly part: OperationPart
  readonly links: readonly Link[]
  /** Response keys down to each of them, from the root of the operation. */
  readonly paths: readonly (readonly string[])[]
}

/** Which keys there will be only the rows in front of them say. */
const NO_KEYS: readonly string[] = Object.freeze([])

function stepsOf(part: OperationPart): readonly Step[] {
  return [{ part, links: [], paths: [] }, ...stepsBehind(part, new Map())]
}

/** @param outer of each root that stands for a relation, where that is */
function stepsBehind({ related }: OperationPart, outer: ReadonlyMap<string, readonly string[]>): readonly Step[] {
  const hops = related?.hops ?? []
  return hops.flatMap(({ links, part }) => {
    const paths = links.map(({ path: [root = '', ...below] }) => [...(outer.get(root) ?? [root]), ...below])
    const inner = new Map(links.map(({ key }, index) => [key, paths[index]!]))
    return [{ part, links, paths }, ...stepsBehind(part, inner)]
  })
}

function headOf({ part, paths }: Step): string {
  const head = `database ${part.database ?? DEFAULT_DATABASE}`
  return paths.length === 0 ? head : `${head}, by the keys of ${paths.map((path) => path.join('.')).join(', ')}`
}
