import { type Explanation, enterAs, readIdentity } from '../../core/doors/front.ts'
import { definePlugin, type Exchange, type Operation, readJson, SvcError } from '../../core/doors/plugin.ts'
import type {} from '../admin/api.ts'
import { DocumentErrors } from '../graphql/api.ts'
import type { Measured } from '../query-limits/api.ts'
import type {} from '../rest/api.ts'
import type { Complexity, ExplainApi, ExplainRequest, Report } from './api.ts'
import { listUnbounded } from './list-unbounded.ts'
import manifest from './manifest.ts'
import { type PlanFacts, readPlan, type Scan } from './read-plan.ts'
import { readRequest } from './read-request.ts'

/** Public route for development (`[debug] enabled`), beside the route of the admin API. */
const ALIAS = '/api/v1/query/explain'
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }

/**
 * The plugin that explains requests without running them (docs/plugins/explain.md). The database receives only an
 * EXPLAIN of statements that read. Access rules apply as for running the request.
 */
export default definePlugin(manifest, (scope) => {
  const graphql = scope.use('graphql')
  const rest = scope.use('rest', { optional: true })
  const limits = scope.use('queryMeasure')
  const { max_rows: maxRows } = scope.config.svc

  async function prepare(
    ctx: Exchange,
    { query, variables, operationName, rest: asked }: ExplainRequest,
  ): Promise<Operation> {
    if (asked === null) {
      try {
        return await graphql.prepare(ctx, { query, variables, operationName, extensions: null, other: {} })
      } catch (error) {
        throw error instanceof DocumentErrors ? oneOf(error) : error
      }
    }
    if (rest === undefined) throw new SvcError('NOT_IMPLEMENTED', 'The plugin "rest" is not in the list of plugins.')
    return rest.prepare(ctx, asked)
  }

  /** @param operation the parsed operation of the request */
  async function measure(ctx: Exchange, operation: Operation, request: ExplainRequest): Promise<Complexity> {
    const { query, operationName } = request
    if (query === null) return shown(limits.operation(operation.template))
    const { document, schema } = await graphql.read(ctx, query)
    return shown(limits.document(document, schema, operationName))
  }

  async function explain(ctx: Exchange, request: ExplainRequest): Promise<Report> {
    const operation = await prepare(ctx, request)
    const { database } = request
    const explanation = await scope.engine.explain(ctx, operation, { database })
    const given = request.rest === null ? (request.query ?? '') : `${request.rest.method} ${request.rest.path}`
    return buildReport(given, operation, explanation, await measure(ctx, operation, request), maxRows)
  }

  const api: ExplainApi = {
    explain,
    explainAs: (as, request) => enterAs(scope.pipeline, readIdentity(as, scope.plugin), (ctx) => explain(ctx, request)),
    measure: (as, request) =>
      enterAs(scope.pipeline, readIdentity(as, scope.plugin), async (ctx) =>
        measure(ctx, await prepare(ctx, request), request),
      ),
  }
  scope.provide('explain', api)

  scope.use('admin', { optional: true })?.route(scope, {
    method: 'POST',
    path: '/explain',
    writes: false,
    async handler(ctx) {
      const { as, ...request } = readRequest(await readJson(ctx))
      ctx.auth = readIdentity(as, scope.plugin)
      return explain(ctx, request)
    },
  })

  const { enabled, database_explain: showsPlan, expose_sql: showsSql } = scope.config.debug
  if (!enabled) return
  scope.route({
    method: 'POST',
    path: ALIAS,
    async handler(ctx) {
      const { as, ...request } = readRequest(await readJson(ctx))
      if (as !== null)
        throw new SvcError('VALIDATION_ERROR', '"as" is for operators; here you are who your credential says.')
      // EXPLAIN runs only when its result is shown.
      const report = await explain(ctx, { ...request, database: request.database && showsPlan })
      const { sql, generated_sql, parameters, ...rest } = report
      return { status: 200, headers: { ...HEADERS }, body: JSON.stringify(showsSql ? report : rest) }
    },
  })
})

function shown({ depth, complexity, aliases }: Measured): Complexity {
  return { depth, complexity, alias_count: aliases }
}

/** All faults of a document as one error. */
function oneOf({ errors }: DocumentErrors): unknown {
  const [first] = errors
  if (first === undefined || errors.length === 1) return first
  const { code, locations } = first
  return new SvcError(code, errors.map(({ message }) => message).join('\n'), { locations })
}

/**
 * @param given the request as the client sent it
 * @param maxRows `svc.max_rows`
 */
function buildReport(
  given: string,
  operation: Operation,
  { kind, plan, sources, statements }: Explanation,
  complexity: Complexity,
  maxRows: number,
): Report {
  const asked = statements.flatMap(({ database }) => (database === null ? [] : [JSON.parse(database) as unknown]))
  const facts = asked.map(readPlan)
  const costs = facts.flatMap(({ cost }) => (cost === null ? [] : [cost]))
  const texts = statements.map(({ sql }) => sql)
  return {
    query: given,
    sql: texts.join(';\n'),
    generated_sql: texts,
    parameters: statements.map(({ parameters }) => parameters),
    views_accessed: sources,
    query_type: kind,
    complexity,
    estimated_cost: costs.length === 0 ? complexity.complexity : costs.reduce((sum, cost) => sum + cost, 0),
    warnings: listWarnings(listUnbounded(operation), facts, maxRows),
    plan,
    ...(asked.length === 0 ? {} : { database_plan: asked }),
  }
}

/** Estimated rows above which a scan is reported. For small tables, a scan is the best plan. */
const MANY_ROWS = 10_000
/** Cost above which a warning is given. PostgreSQL's unit is one page of a sequential read, so that this is about 8 MB. */
const LARGE_COST = 1000

/**
 * @param paths paths of the lists without a limit: response keys from the root down
 * @param maxRows `svc.max_rows`; 0: no limit
 */
function listWarnings(
  paths: readonly (readonly string[])[],
  plans: readonly PlanFacts[],
  maxRows: number,
): readonly string[] {
  const atMost = maxRows === 0 ? 'as many rows as there are' : `up to ${maxRows} rows (svc.max_rows)`
  const unbounded = paths.map(
    (path) => `${path.join('.')}: the list has no limit: ${atMost} may come back. Give it a limit.`,
  )
  const scans = plans.flatMap(({ scans }) => scans.flatMap(warnOf))
  return [...new Set([...unbounded, ...scans])]
}

function warnOf({ relation, rows, cost, filter }: Scan): readonly string[] {
  if (rows === null) return [`${relation}: every row is read (no index is used). Fine for a small table.`]
  const isLarge = rows >= MANY_ROWS || (cost ?? 0) >= LARGE_COST
  if (!isLarge) return []
  if (filter === null) return [`${relation}: sequential scan over about ${rows} rows.`]
  return [
    `${relation}: a filter without an index reads the whole table: ${filter}. An index on what it compares would help.`,
  ]
}
