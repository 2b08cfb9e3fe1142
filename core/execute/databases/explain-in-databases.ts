import type { Exchange } from '../../contract/exchange.ts'
import type { Explanation } from '../../contract/explanation.ts'
import type { Operation } from '../../contract/operation.ts'
import { DEFAULT_DATABASE } from '../../util/database-name.ts'
import { splitOperation } from './split-operation.ts'

/** What an operation would do on each of the databases that its roots are of, one after the other. */
export async function explainInDatabases(
  exchange: Exchange,
  operation: Operation,
  explain: (part: Operation, database: string | undefined) => Promise<Explanation>,
): Promise<Explanation> {
  const isWrite = operation.template.kind === 'mutation'
  const parts = splitOperation(operation, exchange.generation.schema, isWrite)
  const explained: Explanation[] = []
  for (const { database, template } of parts) explained.push(await explain({ ...operation, template }, database))
  const [first, ...others] = explained as [Explanation, ...Explanation[]]
  if (others.length === 0) return first
  const plans = explained.map(({ plan }, index) => `database ${parts[index]?.database ?? DEFAULT_DATABASE}\n${plan}`)
  return {
    kind: first.kind,
    plan: first.plan === null ? null : plans.join('\n'),
    sources: [...new Set(explained.flatMap(({ sources }) => sources))],
    statements: explained.flatMap(({ statements }) => statements),
  }
}
