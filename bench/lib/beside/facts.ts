import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql'

/** What a server serves of a database, read from its introspection. */
export interface Facts {
  /** Tables with an object type of their own. */
  readonly tables: number
  /** Query fields that return one row by a key. */
  readonly rowsByKey: number
  /** Query fields that list the rows of a table. */
  readonly lists: number
  /** Fields of a row that return one row of another table. */
  readonly toOne: number
  /** Fields of a row that list rows of another table. */
  readonly toMany: number
  /** Of these, lists through a join table. */
  readonly manyToMany: number
  /** Operators that a filter on a text offers; 0: only an equal value. */
  readonly textOperators: number
  /** Do filters follow relations? */
  readonly relationFilters: boolean
  /** Number of columns by which the list with the most sort keys can be sorted. */
  readonly sortKeys: number
  readonly totalCounts: boolean
  readonly cursors: boolean
  readonly aggregates: boolean
  /** Global object ids for Relay: the field `node`. */
  readonly node: boolean
  readonly mutations: number
  readonly subscriptions: number
}

/** Name of the row type of each table: `invoice_line` → `InvoiceLine`. */
export function typeNameOf(table: string): string {
  return table.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** @param joins tables that only connect two others, such as `playlist_track` */
export function readFacts(schema: GraphQLSchema, tables: readonly string[], joins: readonly string[]): Facts {
  const rows = new Map(
    tables.flatMap((table) => {
      const type = schema.getType(typeNameOf(table))
      return isObjectType(type) ? [[type.name, type] as const] : []
    }),
  )
  const queries = Object.values(schema.getQueryType()?.getFields() ?? {})
  const rowOf = (type: GraphQLOutputType): GraphQLObjectType | undefined => rows.get(getNamedType(type).name)
  const isOne = ({ type }: GraphQLField<unknown, unknown>) => rowOf(type) !== undefined && !isList(type)
  const lists = queries.filter(({ type }) => listedRow(type, rows) !== null)
  const relations = [...rows.values()].flatMap((owner) =>
    Object.values(owner.getFields()).map((field) => ({ owner, field })),
  )
  const many = relations.filter(({ field }) => listedRow(field.type, rows) !== null)
  const joined = new Set(joins.map(typeNameOf))
  const referenced = new Map([...joined].map((name) => [name, relatedTo(rows.get(name), rows)]))
  const through = many.filter(({ owner, field }) => {
    const listed = listedRow(field.type, rows)!.name
    return [...referenced.values()].some((pair) => pair.has(owner.name) && pair.has(listed) && listed !== owner.name)
  })
  const filters = lists.flatMap(filterOf)
  return {
    tables: rows.size,
    rowsByKey: queries.filter((field) => isOne(field) && field.args.some(({ type }) => isNonNullType(type))).length,
    lists: lists.length,
    toOne: relations.filter(({ field }) => isOne(field)).length,
    toMany: many.length,
    manyToMany: through.length,
    textOperators: Math.max(0, ...filters.map(operatorsOfText)),
    relationFilters: filters.some((type) => follows(type, filters)),
    sortKeys: Math.max(0, ...lists.map(sortKeysOf)),
    totalCounts: lists.some(({ type }) => hasField(type, 'totalCount')),
    cursors: lists.some(({ args }) => args.some(({ name }) => name === 'after')),
    aggregates: [...lists, ...queries].some(
      ({ name, type }) => /aggregate/i.test(name) || hasField(type, 'aggregates'),
    ),
    node: queries.some(({ name }) => name === 'node'),
    mutations: Object.keys(schema.getMutationType()?.getFields() ?? {}).length,
    subscriptions: Object.keys(schema.getSubscriptionType()?.getFields() ?? {}).length,
  }
}

function isList(type: GraphQLOutputType): boolean {
  return isNonNullType(type) ? isList(type.ofType) : isListType(type)
}

/** Returns the row type that a list, a connection or a page contains. */
function listedRow(type: GraphQLOutputType, rows: ReadonlyMap<string, GraphQLObjectType>): GraphQLObjectType | null {
  const named = getNamedType(type)
  if (isList(type)) return rows.get(named.name) ?? null
  if (!isObjectType(named)) return null
  const items = named.getFields().items ?? named.getFields().nodes
  return items !== undefined && isList(items.type) ? (rows.get(getNamedType(items.type).name) ?? null) : null
}

function relatedTo(
  join: GraphQLObjectType | undefined,
  rows: ReadonlyMap<string, GraphQLObjectType>,
): ReadonlySet<string> {
  const fields = join === undefined ? [] : Object.values(join.getFields())
  return new Set(fields.map(({ type }) => getNamedType(type).name).filter((name) => rows.has(name)))
}

/** Inputs by which a list is filtered: svc calls the argument `where`, PostGraphile `condition` or `filter`. */
function filterOf({ args }: GraphQLField<unknown, unknown>): readonly GraphQLInputType[] {
  return args.flatMap(({ name, type }) => (['where', 'condition', 'filter'].includes(name) ? [getNamedType(type)] : []))
}

function operatorsOfText(type: GraphQLInputType): number {
  if (!isInputObjectType(type)) return 0
  const { name, title } = type.getFields()
  const of = getNamedType((name ?? title)?.type)
  return isInputObjectType(of) ? Object.keys(of.getFields()).length : 0
}

function follows(type: GraphQLInputType, filters: readonly GraphQLInputType[]): boolean {
  if (!isInputObjectType(type)) return false
  const others = new Set(filters.map(String).filter((name) => name !== type.name))
  return Object.values(type.getFields()).some((field) => others.has(getNamedType(field.type).name))
}

/** A sort key is a field of an input, or an ascending value of an enum. */
function sortKeysOf({ args }: GraphQLField<unknown, unknown>): number {
  const type = getNamedType(args.find(({ name }) => name === 'orderBy')?.type)
  if (isEnumType(type)) return type.getValues().filter(({ name }) => name.endsWith('_ASC')).length
  return isInputObjectType(type) ? Object.keys(type.getFields()).length : 0
}

function hasField(type: GraphQLOutputType, name: string): boolean {
  const named = getNamedType(type)
  return isObjectType(named) && Object.hasOwn(named.getFields(), name)
}
