import { DEFAULT_DATABASE } from '../../../base/util/database-name.ts'
import type { Exchange } from '../../../contract/exchange.ts'
import type { Explanation } from '../../../contract/explanation.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { Link } from './cut-selection.ts'
import { keysOf, type OperationPart } from './operation-part.ts'
import { splitOperation } from './split-operation.ts'

/**
 * Explains an operation that involves several databases: each database explains its part, including the statements that
 * read relations from other databases. The results are joined.
 * @param explain explains the part of the operation for a database; `undefined`: the default database
 */
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

/** A statement, and the relations whose keys it needs. */
interface Step {
  readonly part: OperationPart
  readonly links: readonly Link[]
  /** Response keys from the root of the operation to each relation. */
  readonly paths: readonly (readonly string[])[]
}

/** Keys for explaining a statement whose real keys come from earlier rows. */
const NO_KEYS: readonly string[] = Object.freeze([])

function stepsOf(part: OperationPart): readonly Step[] {
  return [{ part, links: [], paths: [] }, ...stepsBehind(part, new Map())]
}

/** Returns the steps after a part. @param outer paths of roots that read a relation, by response key */
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
