import { SvcError } from '../../base/errors/svc-error.ts'
import type { Exchange } from '../../contract/exchange.ts'
import type { ExplainedStatement, ExplainOptions, Explanation } from '../../contract/explanation.ts'
import type { Operation } from '../../contract/operation.ts'
import type { CompiledFunction } from '../../schema/compiled.ts'
import { describePlan } from '../plan/describe-plan.ts'
import { planRead } from '../plan/plan-read.ts'
import type { ExecuteContext } from './context/context.ts'
import { isFatal, readFailure } from './context/failure.ts'
import { readSettings } from './context/session-settings.ts'
import { prepareRead } from './read/prepare-read.ts'
import { readSources } from './read/read-sources.ts'
import { bindCall } from './write/bound-call.ts'
import { rootPlanOf } from './write/root-plan.ts'

/**
 * Describes how an operation would run, without running it: its plan, its statements with parameters, and, for queries,
 * the plans of the database. The operation must be authorized.
 * @throws SvcError that the operation would throw before its first statement; the error of EXPLAIN; REQUEST_ERROR for a
 * subscription
 */
export async function explainOperation(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  options: ExplainOptions,
): Promise<Explanation> {
  switch (operation.template.kind) {
    case 'query':
      return explainRead(context, exchange, operation, options.database === true)
    case 'mutation':
      return explainWrite(context, exchange, operation)
    case 'subscription':
      throw new SvcError('REQUEST_ERROR', 'A subscription is a stream of events: there is nothing to explain.')
  }
}

async function explainRead(
  context: ExecuteContext,
  exchange: Exchange,
  operation: Operation,
  asks: boolean,
): Promise<Explanation> {
  const { schema } = exchange.generation
  const { settings } = context
  const prepared = prepareRead(operation, schema, settings)
  const plan = planRead(operation, schema, settings)
  const statements: ExplainedStatement[] = []
  if (prepared.statement !== null) {
    // The statement that execution tries first.
    const { statement, bind } = prepared.packed ?? { statement: prepared.statement, bind: prepared.bind }
    const parameters = bind(operation.variables, exchange, undefined, operation.access)
    let database: string | null = null
    if (asks) {
      try {
        database = await context.database().explain(statement, parameters, readSettings(operation))
      } catch (error) {
        const failure = readFailure(settings.dialect, error, schema, null, null)
        throw isFatal(settings.dialect.errors, failure)
          ? failure
          : new SvcError('DATABASE_ERROR', 'The database cannot explain this statement.', { cause: error })
      }
    }
    const planning = context.database().planning?.(statement) ?? null
    statements.push({ root: null, sql: statement.text, parameters, database, planning })
  }
  return { kind: 'query', plan: describePlan(plan), sources: readSources(exchange, operation, settings), statements }
}

/** Lists the statements of a mutation. They are not passed to EXPLAIN, because some databases call functions while planning. */
async function explainWrite(context: ExecuteContext, exchange: Exchange, operation: Operation): Promise<Explanation> {
  const { schema } = exchange.generation
  const named = new Map<CompiledFunction, string>([...schema.functions].map(([name, target]) => [target, name]))
  const statements: ExplainedStatement[] = []
  const sources = new Set<string>()
  for (const [index, root] of operation.template.roots.entries()) {
    if (root.kind !== 'operation' || root.operation.kind !== 'mutation') continue
    const plan = await rootPlanOf(context, exchange, operation, index)
    const alone = !plan.needsTransaction && operation.write?.atomic !== true && operation.write?.dryRun !== true
    const { statement, parameters } = bindCall(exchange, operation, plan, alone ? 'single' : 'transaction').bound
    sources.add(named.get(root.operation.function) ?? root.operation.function.name)
    statements.push({ root: root.responseKey, sql: statement.text, parameters, database: null, planning: null })
  }
  return { kind: 'mutation', plan: null, sources: [...sources], statements }
}
