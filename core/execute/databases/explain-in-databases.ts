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
}

/** Which keys there will be only the rows in front of them say. */
const NO_KEYS: readonly string[] = Object.freeze([])

function stepsOf(part: OperationPart): readonly Step[] {
  return [{ part, links: [] }, ...hopsBehind(part)]
}

function hopsBehind({ related }: OperationPart): readonly Step[] {
  return related?.hops.flatMap(({ links, part }) => [{ part, links }, ...hopsBehind(part)]) ?? []
}

function headOf({ part, links }: Step): string {
  const head = `database ${part.database ?? DEFAULT_DATABASE}`
  if (links.length === 0) return head
  return `${head}, by the keys of ${links.map(({ path }) => path.join('.')).join(', ')}`
}
