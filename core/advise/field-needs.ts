import type { ModelColumn } from '../contract/database-model.ts'
import { isOrderable } from '../engine/plan/rows/order.ts'
import type { FieldModel, QueryModel } from '../schema/model.ts'
import { operatorsFor } from '../schema/operators/operators.ts'
import type { AdviceRule } from './advice.ts'
import type { BaseColumns } from './base-columns.ts'
import type { FoundNeed, IndexUse } from './index-need.ts'
import type { DatabaseFacts } from './read-facts.ts'

/** Types that PostgreSQL and MariaDB compare and sort by their stored values, so that an index on the column is used. */
const COMPARED =
  /^(?:int2|int4|int8|numeric|float4|float8|text|varchar|bpchar|citext|uuid|date|time|timetz|timestamp|timestamptz|interval|inet|cidr|macaddr|money|enum:.*)$/
const COMPARED_BY_SQLITE = /^(?:int8|float8|text|uuid)$/
/** Other scalars are compared in a form that is computed from the stored value. */
const STORED_IN_SQLITE = new Set(['ID', 'String', 'Int', 'BigInt', 'Float', 'UUID'])

const EQUAL = ['_eq', '_in', '_gt', '_gte', '_lt', '_lte']
const PATTERNS = [
  ...['_contains', '_icontains', '_istartswith', '_endswith', '_iendswith', '_like', '_ilike', '_regex', '_iregex'],
]
const WORDS = ['_matches', '_plain_query', '_phrase_query', '_websearch_query']
const JSON_KEYS = ['_has_key', '_has_keys_any', '_has_keys_all']

/**
 * Returns the indexes that client filters and sorts on the fields of a list query need. Where one index serves both a
 * filter and a sort of a column, it is returned once.
 * @param fixed table columns that every read of the query compares with a value, such as the tenant
 */
export function needsOfFields(
  query: QueryModel,
  fixed: ReadonlySet<string>,
  base: BaseColumns,
  kind: DatabaseFacts['kind'],
): readonly FoundNeed[] {
  const { named, list, source, autoParams } = query
  if (!list || (named.kind !== 'object' && named.kind !== 'interface')) return []
  return [...named.fields.values()].flatMap((field) => {
    if (field.read?.from !== 'column') return []
    const found = base.of(source, field.read.column)
    if (found === null) return []
    const type = field.read.column_type ?? found.column.type
    const filters = autoParams.where ? new Set(operatorsFor(field).map(({ name }) => name)) : new Set<string>()
    const uses = usesOf(field, type, filters, autoParams.order_by && isOrderable(field), kind, found.column)
    return uses.map(([rule, use]) => ({
      relation: found.relation,
      columns: [found.column.name],
      use,
      fixed,
      rule,
      usedBy: `${query.wireName}(${rule === 'index-sort' ? 'orderBy' : 'where'}: ${field.wireName})`,
    }))
  })
}

/** An index of MariaDB and MySQL has only the beginning of such a text. */
function isLongText({ sqlType }: ModelColumn, kind: DatabaseFacts['kind']): boolean {
  return kind === 'mysql' && /text$/i.test(sqlType)
}

type Use = readonly [AdviceRule, IndexUse]

function usesOf(
  { list, named }: FieldModel,
  type: string,
  filters: ReadonlySet<string>,
  sorts: boolean,
  kind: DatabaseFacts['kind'],
  column: ModelColumn,
): readonly Use[] {
  const isSqlite = kind === 'sqlite'
  const has = (names: readonly string[]): boolean => names.some((name) => filters.has(name))
  const isStored = !isSqlite || (named.kind === 'scalar' && STORED_IN_SQLITE.has(named.base))
  const isPlain = isStored && (isSqlite ? COMPARED_BY_SQLITE : COMPARED).test(type) && !isLongText(column, kind)
  // Such a column is compared as a date, which is another expression.
  const isCast = named.kind === 'scalar' && named.base === 'Date' && type.startsWith('timestamp')
  const uses: Use[] = []
  if (list) {
    if (type.startsWith('_') && has(['_contains', '_has_any', '_has_all'])) uses.push(['index-list', 'list'])
    return uses
  }
  if (isPlain && !isCast) {
    // An index that sorts serves equality and ranges, too.
    if (sorts) uses.push(['index-sort', 'order'])
    else if (has(EQUAL)) uses.push(['index-filter', 'lookup'])
  }
  // The other databases have no index for patterns, and none for JSON.
  if (kind !== 'postgres') return uses
  if (type === 'text' || type === 'varchar') {
    if (has(PATTERNS)) uses.push(['index-pattern', 'pattern'])
    else if (filters.has('_startswith')) uses.push(['index-pattern', 'prefix'])
  }
  if (type === 'tsvector' && has(WORDS)) uses.push(['index-pattern', 'words'])
  if (type === 'jsonb') {
    if (has(JSON_KEYS)) uses.push(['index-json', 'json keys'])
    else if (has(['_contains', '_strictly_contains'])) uses.push(['index-json', 'json'])
  }
  return uses
}
